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
            position.open(side, stones).each([&](SegmentId id) { add(position, id, nowhere, nowhere); });
    }

    // A segment that lacks one stone or two once there are stones on these two squares.
    template <class PositionType>
    void add(const PositionType& position, SegmentId id, Square first, Square second) {
        Edge edge{nowhere, nowhere};
        position.each_empty(id, [&](Square s) {
            if (s != first && s != second) (edge.a == nowhere ? edge.a : edge.b) = s;
        });
        if (count_ < most) edges_[count_++] = edge;
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

    // Two stones stand on 4k segments each: with more than 8k nothing can meet them all, and the rest need not be known. Whoever adds
    // those of two stones and of their pair may tell some twice, and has 9k at most.
    static constexpr std::size_t most = 9 * Geometry::max_k;
    std::array<Edge, most> edges_;
    std::size_t count_ = 0;
};

// How many stones it takes the defender to meet the attacker's threats, or p + 1 if more than p; 0 if `is_over` says so before that is
// known.
template <class PositionType, class IsOver>
int threat_number(const PositionType& position, IsOver is_over) {
    if (position.p() == 2) return TwoThreats(position, attacker).number();
    ThreatSet threats;
    threats.collect(position, attacker);
    return threats.number(position.p(), is_over);
}

// Every defence of at most `stones` stones from which none can be left out. False if `is_over` says so before all are found.
template <class PositionType, class IsOver>
bool critical_defences(const PositionType& position, int stones, std::vector<Stones>& out, IsOver is_over) {
    if (position.p() == 2 && stones == 2) {
        TwoThreats(position, attacker).defences(out);
        return true;
    }
    ThreatSet threats;
    threats.collect(position, attacker);
    return threats.defences(stones, out, is_over);
}

template <class PositionType>
class PairGenerator {
public:
    using SquareSet = typename PositionType::SquareSet;

    explicit PairGenerator(PositionType& position)
        : position_(position), index_(std::size_t(position.geometry().squares), none), cold_(index_.size()) {
        if (position.p() != 2 || position.k() <= 4) return;  // not its business
        const Geometry& g = position.geometry();
        number_of_.assign(g.strip.size() * std::size_t(position.k() - 1), none);
        cold_bits_.assign(g.segment_words() + 1, 0);
    }

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
                find_pairs_of_hot();
                if (leaves_three(first.square, second.square, find_pair(first.square, second.square), move)) return true;
            }
            if (cold_[first.square] > 0 && first.segments + cold_[first.square] >= 3) {
                find_pairs_of_hot();
                for (const Cold& pair : pairs_) {
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
        if (least > 1)
            find_pairs_of_hot();
        else
            find_all_pairs();
        for (std::size_t i = 0; i < hot_.size(); ++i)
            for (std::size_t j = i + 1; j < hot_.size(); ++j) {
                const int threats = threats_of(hot_[i], hot_[j]);
                if (threats >= least) emit(hot_[i].square, hot_[j].square, threats, out);
            }
        for (const Cold& pair : pairs_) {
            if (is_hot(pair.a) && is_hot(pair.b)) continue;
            int threats = pair.covers > 0 ? 1 : 2;
            if (is_hot(pair.a) || is_hot(pair.b)) {
                const Hot& hot = hot_[std::size_t(index_[is_hot(pair.a) ? pair.a : pair.b])];
                if (threats == 1 && !share(hot.cover, hot.covers, pair.cover, pair.covers)) threats = 2;
            }
            if (threats >= least) emit(pair.a, pair.b, threats, out);
        }
        if (least > 1) emit_live_pairs(out);
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
        each_live_pair([&](SegmentId id, const Gaps&) { marks[position_.geometry().segment_line[id]] |= mark; });
    }

private:
    static constexpr std::int16_t none = -1;

    // Segments of one line through one square: no further apart than the bits of a word, since k is no larger. They are added in the
    // order of their numbers.
    class Bundle {
    public:
        void add(SegmentId id) {
            if (bits_ == 0) first_ = id;
            if (const int offset = id - first_; offset < Geometry::max_k) bits_ |= std::uint64_t(1) << offset;
        }
        SegmentId first() const { return first_; }
        template <class Visit>
        void each(Visit visit) const {
            for (std::uint64_t left = bits_; left; left &= left - 1) visit(SegmentId(first_ + std::countr_zero(left)));
        }

    private:
        std::uint64_t bits_ = 0;
        SegmentId first_ = 0;
    };

    struct Hot {
        Square square;
        Square cover[2];  // the squares that alone meet all its threats, `covers` of them
        int covers;
        int alone = 0;  // its threats when placed alone: 1, or 2 for two and more
        int segments = 0;
        Bundle bundle{};  // of these; only where `alone` is 1, since segments that share a second square lie on one line
    };

    // A pair of squares on segments that lack four stones, two of them the pair.
    struct Cold {
        std::uint32_t slot;
        Square a, b;
        Square cover[2];
        int covers;
        int segments = 0;
        Bundle bundle{};  // of those
    };

    int near() const { return position_.k() - 3; }
    bool is_hot(Square s) const { return index_[s] != none; }

    void find_hot() {
        for (const Hot& hot : hot_) index_[hot.square] = none;
        hot_.clear();
        pairs_ready_ = false;
        position_.open(attacker, near()).each([&](SegmentId id) {
            std::array<Square, 3> empty{};
            std::size_t count = 0;
            position_.each_empty(id, [&](Square s) { empty[count++] = s; });
            for (std::size_t i = 0; i < 3; ++i) {
                const Square s = empty[i], others[2] = {empty[(i + 1) % 3], empty[(i + 2) % 3]};
                if (index_[s] == none) {
                    index_[s] = std::int16_t(hot_.size());
                    hot_.push_back({s, {others[0], others[1]}, 2});
                }
                Hot& hot = hot_[std::size_t(index_[s])];
                narrow(hot.cover, hot.covers, others);
                hot.bundle.add(id);
                ++hot.segments;
            }
        });
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
        position_.open(attacker, near() - 1).each([this](SegmentId id) {
            position_.each_empty(id, [this](Square s) { cold_[s] = std::uint8_t(cold_[s] + (cold_[s] < 255)); });
        });
    }

    // All pairs on segments that lack four stones.
    void find_all_pairs() {
        pairs_ready_ = true;
        begin_pairs();
        position_.open(attacker, near() - 1).each([this](SegmentId id) {
            const Gaps gaps = gaps_of(id);
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = i + 1; j < 4; ++j) add_pair(id, gaps, i, j);
        });
    }

    // Those with a hot square.
    void find_pairs_of_hot() {
        if (pairs_ready_) return;
        pairs_ready_ = true;
        begin_pairs();
        const Geometry& g = position_.geometry();
        for (const Hot& hot : hot_)
            for (int d = 0; d < Geometry::directions; ++d) {
                const Geometry::Run& run = g.run(hot.square, d);
                if (run.count == 0) continue;
                for (std::uint64_t left = bits_at(run.first) & ~(~std::uint64_t(1) << (run.count - 1)); left; left &= left - 1) {
                    const int offset = std::countr_zero(left);
                    const SegmentId id = SegmentId(run.first + offset);
                    const Gaps gaps = gaps_of(id);
                    std::size_t own = 0;
                    while (gaps[own] != std::uint32_t(run.place - offset)) ++own;
                    for (std::size_t i = 0; i < 4; ++i) {
                        if (i == own) continue;
                        const std::int16_t other = index_[g.squares_of(id)[gaps[i]]];
                        if (other == none || other > index_[hot.square]) add_pair(id, gaps, std::min(i, own), std::max(i, own));  // once, if both are
                    }
                }
            }
    }

    // Pairs that make two threats on their line whether their squares are hot or not: two segments that lack four stones share these
    // two empty squares and no other. Some are told more than once.
    template <class Visit>
    void each_live_pair(Visit visit) {
        find_cold_bits();
        const Geometry& g = position_.geometry();
        for (std::size_t shift = 2; shift + 2 <= std::size_t(position_.k()); ++shift)
            for (std::size_t word = 0; word < cold_bits_.size() - 1; ++word) {
                std::uint64_t both = cold_bits_[word] & (cold_bits_[word] >> shift | cold_bits_[word + 1] << (64 - shift));
                for (both &= g.same_line[shift * g.segment_words() + word]; both; both &= both - 1) {
                    const SegmentId id = SegmentId(word * 64 + std::size_t(std::countr_zero(both)));
                    const Gaps gaps = gaps_of(id);
                    if (gaps[1] < shift && gaps[2] >= shift) visit(id, gaps);
                }
            }
    }

    using Gaps = std::array<std::uint32_t, 4>;  // the places in a segment that lacks four stones where these are

    Gaps gaps_of(SegmentId id) const {
        Gaps gaps{};
        std::size_t count = 0;
        position_.each_empty_place(id, [&](int place) { gaps[count++] = std::uint32_t(place); });
        return gaps;
    }

    void begin_pairs() {
        for (const Cold& pair : pairs_) number_of_[pair.slot] = none;
        pairs_.clear();
        find_cold_bits();
    }

    // Which segments lack four stones, as a set.
    void find_cold_bits() {
        for (std::size_t i = 0; i + 1 < cold_bits_.size(); ++i) cold_bits_[i] = position_.open(attacker, near() - 1).word(i);
    }

    std::uint64_t bits_at(SegmentId id) const {
        const unsigned shift = id % 64;
        return cold_bits_[id / 64u] >> shift | cold_bits_[id / 64u + 1] << 1 << (63 - shift);
    }

    // One more segment for the pair of its i-th and j-th gap.
    void add_pair(SegmentId id, const Gaps& gaps, std::size_t i, std::size_t j) {
        const Geometry& g = position_.geometry();
        const Square* squares = g.squares_of(id);
        const std::size_t o = i > 0 ? 0 : j > 1 ? 1 : 2, last = j < 3 ? 3 : i < 2 ? 2 : 1;
        const Square others[2] = {squares[gaps[o]], squares[gaps[last]]};
        const std::uint32_t slot = slot_at(g.segment_start[id] + gaps[i], gaps[j] - gaps[i]);
        std::int32_t& number = number_of_[slot];
        if (number == none) {
            number = std::int32_t(pairs_.size());
            const Square a = squares[gaps[i]], b = squares[gaps[j]];
            pairs_.push_back({slot, std::min(a, b), std::max(a, b), {others[0], others[1]}, 2});
        }
        Cold& pair = pairs_[std::size_t(number)];
        narrow(pair.cover, pair.covers, others);
        pair.bundle.add(id);
        ++pair.segments;
    }

    // Pairs in line are told by the place of their first square on the strip, and how far it is to the second.
    std::uint32_t slot_at(std::uint32_t place, std::uint32_t distance) const { return place * std::uint32_t(position_.k() - 1) + distance - 1; }

    const Cold* find_pair(Square a, Square b) const {
        const int w = position_.geometry().width;
        if (a > b) std::swap(a, b);
        const int dx = b % w - a % w, dy = b / w - a / w, distance = std::max(std::abs(dx), dy);
        if (distance >= position_.k() || (dx != 0 && dy != 0 && std::abs(dx) != dy)) return nullptr;
        const int direction = dy == 0 ? 0 : dx == 0 ? 1 : dx > 0 ? 2 : 3;
        const Square first = direction == 3 ? b : a;  // the lines of the last direction run downwards
        const std::int32_t number = number_of_[slot_at(position_.geometry().place_on_strip(first, direction), std::uint32_t(distance))];
        return number == none ? nullptr : &pairs_[std::size_t(number)];
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
        find_pairs_of_hot();
        const Cold* pair = find_pair(a.square, b.square);
        // One stone is enough if it stands in every segment that lacks one or two now.
        const auto meets_all = [&](Square s) {
            if (pair != nullptr && !share(pair->cover, pair->covers, &s, 1)) return false;
            bool all = true;
            for (const Hot* hot : {&a, &b})
                hot->bundle.each([&](SegmentId id) {
                    bool met = false;
                    if (all) position_.each_empty(id, [&met, s](Square e) { met |= e == s; });
                    all &= met;
                });
            return all;
        };
        bool one = false;
        position_.each_empty(a.bundle.first(), [&](Square s) { one |= s != a.square && s != b.square && meets_all(s); });
        return one ? 1 : 2;
    }

    bool leaves_three(Square a, Square b, const Cold* cold, Stones& move) {
        TwoThreats threats;
        const auto add = [&](SegmentId id) { threats.add(position_, id, a, b); };
        for (Square s : {a, b})
            if (is_hot(s)) hot_[std::size_t(index_[s])].bundle.each(add);
        if (cold != nullptr) cold->bundle.each(add);
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
                position_.open(attacker, position_.k() - lacking).each([&](SegmentId id) {
                    std::array<Square, 3> empty{};
                    std::size_t count = 0;
                    position_.each_empty(id, [&](Square s) { empty[count++] = s; });
                    for (std::size_t i = 0; i < count; ++i)
                        rule_out(empty[i], empty[(i + 1) % count], empty[(i + count - 1) % count]);
                });
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

    // Pairs without a hot square that make two threats.
    void emit_live_pairs(std::vector<Candidate>& out) {
        const Geometry& g = position_.geometry();
        const std::size_t with_hot = pairs_.size();
        each_live_pair([&](SegmentId id, const Gaps& gaps) {
            const Square a = g.squares_of(id)[gaps[2]], b = g.squares_of(id)[gaps[3]];
            if (is_hot(a) || is_hot(b)) return;
            const std::uint32_t slot = slot_at(g.segment_start[id] + gaps[2], gaps[3] - gaps[2]);
            if (number_of_[slot] != none) return;
            number_of_[slot] = std::int32_t(pairs_.size());
            pairs_.push_back({slot, std::min(a, b), std::max(a, b), {}, 0});
            emit(a, b, 2, out);
        });
        while (pairs_.size() > with_hot) {  // they are no pairs of hot squares
            number_of_[pairs_.back().slot] = none;
            pairs_.pop_back();
        }
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
    std::vector<Cold> pairs_;
    std::vector<std::int32_t> number_of_;  // in `pairs_`, by slot
    std::vector<std::uint64_t> cold_bits_;  // the segments that lack four stones, and an empty word
    bool pairs_ready_ = false, counted_ = false;  // since find_hot
    std::vector<Candidate> scratch_;
    static constexpr std::uint64_t touched = std::uint64_t(1) << 63;
    std::vector<Stones> meeting_;           // the defences after the first stone
    std::vector<std::uint64_t> left_of_ = std::vector<std::uint64_t>(index_.size());  // for a second stone: those that still meet all, as bits
    std::vector<Square> touched_;
};

}  // namespace tengen
