// The attacker's moves of two stones where p is 2 and the defender threatens nothing: nearly all of the time goes into these,
// so pairs are judged from the segments alone, without placing a stone.
//
// A square is hot if one stone there makes a threat: it lies on an open segment that lacks three stones. Two hot stones that
// are not in line make the threats of each; one stone meets them all only if some square does so for both. In line, segments
// may hold both stones: those lacking three then lack one, and those lacking four ("cold" for either stone alone) become
// threats too. A pair without a hot stone makes threats only on the line through both, at most two, since a stone adds at most
// two threats on a line.
#pragma once

#include "threats.hpp"

namespace tengen {

struct Candidate {
    Stones move;
    int threats;  // 1, or 2 for two and more
    int score;
};

// The threats of a side where p is 2: each can be met on one square or two.
class TwoThreats {
public:
    TwoThreats() = default;

    template <class PositionType>
    TwoThreats(const PositionType& position, int side) {
        const int k = position.k();
        for (int stones = k - 1; stones >= std::max(1, k - 2); --stones)
            for (SegmentId id : position.open(side, stones)) add(position, id, nowhere, nowhere);
    }

    // A segment that lacks one stone or two once there are stones on these two squares.
    template <class PositionType>
    void add(const PositionType& position, SegmentId id, Square first, Square second) {
        Edge edge{nowhere, nowhere};
        position.each_empty(id, [&](Square s) {
            if (s != first && s != second) (edge.a == nowhere ? edge.a : edge.b) = s;
        });
        if (count_ < edges_.size()) edges_[count_++] = edge;
    }

    // How many stones it takes to meet them: 0, 1, 2, or 3 for more than two.
    int number() const {
        if (count_ == 0) return 0;
        bool two = false;
        for (Square s : {edges_[0].a, edges_[0].b}) {
            if (s == nowhere) continue;
            const std::size_t i = first_unmet(1, s, s);
            if (i == count_) return 1;
            for (Square t : {edges_[i].a, edges_[i].b}) two |= t != nowhere && first_unmet(i + 1, s, t) == count_;
        }
        return two ? 2 : 3;
    }

    // Every defence of at most two stones from which none can be left out.
    void defences(std::vector<Stones>& out) const {
        out.clear();
        if (count_ == 0) return out.push_back(Stones());
        for (Square s : {edges_[0].a, edges_[0].b}) {
            if (s == nowhere) continue;
            const std::size_t i = first_unmet(1, s, s);
            if (i == count_) {
                out.push_back(Stones{s});
                continue;
            }
            for (Square t : {edges_[i].a, edges_[i].b}) {
                if (t == nowhere || first_unmet(i + 1, s, t) < count_ || first_unmet(0, t, t) == count_) continue;
                const Stones pair{std::min(s, t), std::max(s, t)};
                if (std::find(out.begin(), out.end(), pair) == out.end()) out.push_back(pair);
            }
        }
        std::sort(out.begin(), out.end());
    }

private:
    static constexpr Square nowhere = 0xffff;
    struct Edge {
        Square a, b;
    };

    std::size_t first_unmet(std::size_t from, Square s, Square t) const {
        while (from < count_ && (edges_[from].a == s || edges_[from].b == s || edges_[from].a == t || edges_[from].b == t)) ++from;
        return from;
    }

    std::array<Edge, 96> edges_;  // more would be a row long ago; leaving some out could only hide a win
    std::size_t count_ = 0;
};

// How many stones it takes the defender to meet the attacker's threats, or p + 1 if more than p.
template <class PositionType>
int threat_number(const PositionType& position) {
    if (position.p() == 2) return TwoThreats(position, attacker).number();
    ThreatSet threats;
    threats.collect(position, attacker);
    return threats.number(position.p());
}

// Every defence of at most `stones` stones from which none can be left out.
template <class PositionType>
void critical_defences(const PositionType& position, int stones, std::vector<Stones>& out) {
    if (position.p() == 2 && stones == 2) return TwoThreats(position, attacker).defences(out);
    ThreatSet threats;
    threats.collect(position, attacker);
    threats.defences(stones, out);
}

template <class PositionType>
class PairGenerator {
public:
    using SquareSet = typename PositionType::SquareSet;

    explicit PairGenerator(PositionType& position)
        : position_(position), index_(std::size_t(position.geometry().squares), none), cold_(index_.size()), slots_(slot_count) {}

    // A move that leaves more than two threats.
    bool decisive(Stones& move) {
        find_hot();
        if (hot_.empty()) return false;
        for (const Hot& hot : hot_)
            if (hot.alone >= 2 && try_with(hot, move)) return true;
        count_cold();
        // Two stones with one threat each, in line, or one of them with a partner that is not hot: three threats need three
        // segments.
        for (std::size_t i = 0; i < hot_.size(); ++i) {
            const Hot& first = hot_[i];
            if (first.alone >= 2) continue;
            for (std::size_t j = i + 1; j < hot_.size(); ++j) {
                const Hot& second = hot_[j];
                if (second.alone >= 2 || !in_line(first.square, second.square)) continue;
                if (first.segments + second.segments + std::min(cold_[first.square], cold_[second.square]) < 3) continue;
                find_cold();
                if (leaves_three(first.square, second.square, find_pair(first.square, second.square), move)) return true;
            }
            if (has_partners(first) && first.segments + cold_of(first.square) >= 3) {
                find_cold();
                for (std::uint32_t slot : used_) {
                    const Cold& pair = slots_[slot];
                    if (pair.a != first.square && pair.b != first.square) continue;
                    const Square other = pair.a == first.square ? pair.b : pair.a;
                    if (is_hot(other) || first.segments + pair.segments < 3) continue;
                    if (leaves_three(first.square, other, &pair, move)) return true;
                }
            }
        }
        return false;
    }

    // All moves with at least `least` threats (1 or 2). A stone that is not needed for them may stand on any of the squares that
    // `free` returns; tells whether there was such a stone.
    template <class FreeSquares>
    bool moves(int least, FreeSquares free, std::vector<Candidate>& out) {
        out.clear();
        find_hot();
        count_cold();
        find_cold();
        for (std::size_t i = 0; i < hot_.size(); ++i)
            for (std::size_t j = i + 1; j < hot_.size(); ++j) {
                const int threats = threats_of(hot_[i], hot_[j]);
                if (threats >= least) emit(hot_[i].square, hot_[j].square, threats, out);
            }
        for (std::uint32_t slot : used_) {
            const Cold& pair = slots_[slot];
            if (is_hot(pair.a) && is_hot(pair.b)) continue;
            int threats = pair.covers > 0 ? 1 : 2;
            if (is_hot(pair.a) || is_hot(pair.b)) {
                const Hot& hot = hot_[std::size_t(index_[is_hot(pair.a) ? pair.a : pair.b])];
                if (threats == 1 && !share(hot.cover, hot.covers, pair.cover, pair.covers)) threats = 2;
            }
            if (threats >= least) emit(pair.a, pair.b, threats, out);
        }
        bool freedom = false;
        SquareSet squares;
        for (const Hot& hot : hot_) {
            if (hot.alone < least) continue;
            if (!freedom) squares = free();
            freedom = true;
            squares.each([&](Square s) {
                if (!is_hot(s) && !find_pair(hot.square, s)) emit(hot.square, s, hot.alone, out);
            });
        }
        std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
        return freedom;
    }

    // Whether there is any move with at least `least` threats.
    bool any(int least) {
        find_hot();
        for (std::size_t i = 0; i < hot_.size(); ++i) {
            if (hot_[i].alone >= least) return true;
            for (std::size_t j = i + 1; j < hot_.size(); ++j)
                if (!in_line(hot_[i].square, hot_[j].square) && threats_of(hot_[i], hot_[j]) >= least) return true;
        }
        moves(least, [] { return SquareSet(); }, scratch_);
        return !scratch_.empty();
    }

    // Marks the lines on which two more stones make two threats (live lines that lack one stone more than hot ones).
    void mark_live_lines(std::vector<std::uint8_t>& marks, std::uint8_t mark) {
        find_hot();
        find_cold();
        for (std::uint32_t slot : used_)
            if (slots_[slot].covers == 0) marks[slots_[slot].line] |= mark;
    }

private:
    static constexpr std::int16_t none = -1;
    static constexpr std::uint32_t slot_count = 1 << 10;

    struct Hot {
        Square square;
        Square cover[2];  // the squares that alone meet all its threats, `covers` of them
        int covers;
        int alone = 0;  // its threats when placed alone: 1, or 2 for two and more
        int segments = 0;
        std::array<SegmentId, 16> segment;  // leaving some out could only hide a win
    };

    // A pair of squares on segments that lack four stones, two of them the pair.
    struct Cold {
        Square a = 0, b = 0;
        Square cover[2] = {0, 0};
        int covers = 0;
        int segments = 0;
        std::array<SegmentId, 8> segment{};  // of those; no more than k - 1 run through two squares
        std::uint16_t line = 0;
    };

    int near() const { return position_.k() - 3; }
    bool is_hot(Square s) const { return index_[s] != none; }
    int cold_of(Square s) const { return near() == 1 ? 24 : cold_[s]; }
    bool has_partners(const Hot& hot) const { return cold_of(hot.square) > 0; }

    void find_hot() {
        for (const Hot& hot : hot_) index_[hot.square] = none;
        hot_.clear();
        cold_ready_ = false;
        for (SegmentId id : position_.open(attacker, near())) {
            std::array<Square, 3> empty{};
            std::size_t count = 0;
            position_.each_empty(id, [&](Square s) { empty[count++] = s; });
            for (std::size_t i = 0; i < 3; ++i) {
                const Square s = empty[i], others[2] = {empty[(i + 1) % 3], empty[(i + 2) % 3]};
                if (index_[s] == none) {
                    index_[s] = std::int16_t(hot_.size());
                    hot_.push_back({s, {others[0], others[1]}, 2, 0, 0, {}});
                }
                Hot& hot = hot_[std::size_t(index_[s])];
                narrow(hot.cover, hot.covers, others);
                if (hot.segments < int(hot.segment.size())) hot.segment[std::size_t(hot.segments++)] = id;
            }
        }
        std::sort(hot_.begin(), hot_.end(), [](const Hot& a, const Hot& b) { return a.square < b.square; });
        for (std::size_t i = 0; i < hot_.size(); ++i) {
            index_[hot_[i].square] = std::int16_t(i);
            hot_[i].alone = hot_[i].covers > 0 ? 1 : 2;
        }
        counted_ = false;
    }

    void count_cold() {
        if (counted_) return;
        counted_ = true;
        std::fill(cold_.begin(), cold_.end(), std::uint8_t(0));
        if (near() > 1)
            for (SegmentId id : position_.open(attacker, near() - 1))
                position_.each_empty(id, [this](Square s) { cold_[s] = std::uint8_t(cold_[s] + (cold_[s] < 255)); });
    }

    void find_cold() {
        if (cold_ready_) return;
        cold_ready_ = true;
        for (std::uint32_t slot : used_) slots_[slot].segments = 0;
        used_.clear();
        const auto add = [this](SegmentId id) {
            std::array<Square, 4> empty{};
            std::size_t count = 0;
            position_.each_empty(id, [&](Square s) { empty[count++] = s; });
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = i + 1; j < 4; ++j) {
                    Square others[2];
                    std::size_t n = 0;
                    for (std::size_t o = 0; o < 4; ++o)
                        if (o != i && o != j) others[n++] = empty[o];
                    Cold& pair = slots_[slot_of(empty[i], empty[j])];
                    if (pair.segments == 0) {
                        pair.a = std::min(empty[i], empty[j]), pair.b = std::max(empty[i], empty[j]);
                        std::copy(others, others + 2, pair.cover);
                        pair.covers = 2;
                        pair.line = position_.geometry().segment_line[id];
                        used_.push_back(std::uint32_t(&pair - slots_.data()));
                    }
                    narrow(pair.cover, pair.covers, others);
                    if (pair.segments < int(pair.segment.size())) pair.segment[std::size_t(pair.segments)] = id;
                    ++pair.segments;
                }
        };
        if (near() > 1) {
            for (SegmentId id : position_.open(attacker, near() - 1)) add(id);
        } else {
            for (int id = 0; id < position_.geometry().segments; ++id)
                if (position_.is_untouched(id)) add(SegmentId(id));
        }
    }

    // The slot of a pair, or the free one where it belongs. The table never fills: it grows in time.
    std::size_t slot_of(Square a, Square b) {
        if (a > b) std::swap(a, b);
        if (used_.size() * 2 > slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = (std::size_t(a) * 0x9e3779b1u ^ std::size_t(b) * 0x85ebca6bu) & mask;
        while (slots_[slot].segments > 0 && (slots_[slot].a != a || slots_[slot].b != b)) slot = (slot + 1) & mask;
        return slot;
    }

    void grow() {
        std::vector<Cold> kept;
        for (std::uint32_t slot : used_) kept.push_back(slots_[slot]);
        used_.clear();
        slots_.assign(slots_.size() * 4, Cold());
        for (const Cold& pair : kept) {
            const std::size_t slot = slot_of(pair.a, pair.b);
            slots_[slot] = pair;
            used_.push_back(std::uint32_t(slot));
        }
    }

    const Cold* find_pair(Square a, Square b) {
        const Cold& pair = slots_[slot_of(a, b)];
        return pair.segments > 0 ? &pair : nullptr;
    }

    // Keeps of the covering squares those that are among two others.
    static void narrow(Square* cover, int& covers, const Square* others) {
        int kept = 0;
        for (int c = 0; c < covers; ++c)
            if (cover[c] == others[0] || cover[c] == others[1]) cover[kept++] = cover[c];
        covers = kept;
    }

    static bool share(const Square* a, int as, const Square* b, int bs) {
        for (int i = 0; i < as; ++i)
            for (int j = 0; j < bs; ++j)
                if (a[i] == b[j]) return true;
        return false;
    }

    // The threats of two hot stones together: 1, or 2 for two and more.
    int threats_of(const Hot& a, const Hot& b) {
        if (a.alone + b.alone > 2) return 2;  // a further stone of one's own takes no threat away
        if (!in_line(a.square, b.square)) return share(a.cover, a.covers, b.cover, b.covers) ? 1 : 2;
        find_cold();
        const Cold* pair = find_pair(a.square, b.square);
        // One stone is enough if it stands in every segment that lacks one or two now.
        const auto meets_all = [&](Square s) {
            if (pair != nullptr && !share(pair->cover, pair->covers, &s, 1)) return false;
            for (const Hot* hot : {&a, &b})
                for (int i = 0; i < hot->segments; ++i) {
                    bool met = false;
                    position_.each_empty(hot->segment[std::size_t(i)], [&met, s](Square e) { met |= e == s; });
                    if (!met) return false;
                }
            return true;
        };
        bool one = false;
        position_.each_empty(a.segment[0], [&](Square s) { one |= s != a.square && s != b.square && meets_all(s); });
        return one ? 1 : 2;
    }

    bool leaves_three(Square a, Square b, const Cold* cold, Stones& move) {
        TwoThreats threats;
        for (Square s : {a, b})
            if (is_hot(s)) {
                const Hot& hot = hot_[std::size_t(index_[s])];
                for (int i = 0; i < hot.segments; ++i) threats.add(position_, hot.segment[std::size_t(i)], a, b);
            }
        if (cold != nullptr)
            for (int i = 0; i < std::min(cold->segments, int(cold->segment.size())); ++i) threats.add(position_, cold->segment[std::size_t(i)], a, b);
        if (threats.number() <= 2) return false;
        move = Stones{std::min(a, b), std::max(a, b)};
        return true;
    }

    // Whether a stone that makes two threats alone makes three with some other. Two stones that meet all threats after the first
    // must also stand in every segment that the second makes a threat, and not on its square.
    bool try_with(const Hot& hot, Stones& move) {
        const Square a = hot.square;
        position_.place(a, attacker);
        TwoThreats(position_, attacker).defences(meeting_);
        Square second = a;
        if (meeting_.empty()) {  // any second stone will do
            position_.empty().each([&second, a](Square s) {
                if (second == a) second = s;
            });
        } else if (meeting_.size() <= 32) {
            const auto rule_out = [&](Square b, Square e, Square f) {
                if (left_of_[b] == 0) {
                    touched_.push_back(b);
                    std::uint32_t all = 0;
                    for (std::size_t i = 0; i < meeting_.size(); ++i)
                        if (!meeting_[i].has(b)) all |= std::uint32_t(1) << i;
                    left_of_[b] = std::uint64_t(all) | touched;
                }
                for (std::size_t i = 0; i < meeting_.size(); ++i)
                    if (!meeting_[i].has(e) && !meeting_[i].has(f)) left_of_[b] &= ~(std::uint64_t(1) << i);
                if (left_of_[b] == touched) second = b;
            };
            for (int lacking = 3; lacking >= 2 && second == a; --lacking)
                for (SegmentId id : position_.open(attacker, position_.k() - lacking)) {
                    std::array<Square, 3> empty{};
                    std::size_t count = 0;
                    position_.each_empty(id, [&](Square s) { empty[count++] = s; });
                    for (std::size_t i = 0; i < count; ++i)
                        rule_out(empty[i], empty[(i + 1) % count], empty[(i + count - 1) % count]);
                }
            for (Square b : touched_) left_of_[b] = 0;
            touched_.clear();
        }
        const bool full = second == a && meeting_.empty();
        position_.remove(a);
        if (second == a && !full) return false;
        move = full ? Stones{a} : Stones{std::min(a, second), std::max(a, second)};
        return true;
    }

    int value_of(Square s) const {
        int value = cold_[s];
        if (is_hot(s)) {
            const Hot& hot = hot_[std::size_t(index_[s])];
            value += 4 * hot.segments + 32 * hot.alone;
        }
        return value;
    }

    void emit(Square a, Square b, int threats, std::vector<Candidate>& out) const {
        out.push_back({Stones{std::min(a, b), std::max(a, b)}, threats, threats * 256 + value_of(a) + value_of(b)});
    }

    bool in_line(Square a, Square b) const {
        const int w = position_.geometry().width;
        const int dx = std::abs(a % w - b % w), dy = std::abs(a / w - b / w);
        return std::max(dx, dy) < position_.k() && (dx == 0 || dy == 0 || dx == dy);
    }

    PositionType& position_;
    std::vector<std::int16_t> index_;  // of each square in hot_
    std::vector<Hot> hot_;
    std::vector<std::uint8_t> cold_;  // how many segments that lack four stones run through each square
    std::vector<Cold> slots_;
    std::vector<std::uint32_t> used_;
    bool cold_ready_ = false, counted_ = false;  // since find_hot
    std::vector<Candidate> scratch_;
    static constexpr std::uint64_t touched = std::uint64_t(1) << 63;
    std::vector<Stones> meeting_;           // the defences after the first stone
    std::vector<std::uint64_t> left_of_ = std::vector<std::uint64_t>(index_.size());  // for a second stone: those that still meet all, as bits
    std::vector<Square> touched_;
};

}  // namespace tengen
