// The attacker's moves of two stones where p is 2 and the defender threatens nothing: the case that nearly all of the time
// goes into. Most pairs are judged without placing a stone. How that is possible:
// a stone is "hot" if it alone makes a threat. Two hot stones that are not in line make the threats of each, and these can be
// met by one stone only if some square meets both. Pairs in line are tried on the board. A pair without a hot stone makes
// threats only on the line through both, and at most two of them, since a stone adds at most two on a line.
#pragma once

#include "threats.hpp"

namespace tengen {

struct Candidate {
    Stones move;
    int threats;
    int score;
};

// How many stones it takes to meet the threats of a side where p is 2: 0, 1, 2, or 3 for more than two.
template <class PositionType>
int threat_number_of_two(const PositionType& position, int side) {
    constexpr Square nowhere = 0xffff;
    struct Edge {
        Square a, b;
    };
    std::array<Edge, 96> edges;
    std::size_t count = 0;
    const int k = position.k();
    for (int stones = k - 1; stones >= std::max(1, k - 2); --stones)
        for (SegmentId id : position.open(side, stones)) {
            Edge edge{nowhere, nowhere};
            position.each_empty(id, [&edge](Square s) { (edge.a == nowhere ? edge.a : edge.b) = s; });
            if (count < edges.size()) edges[count++] = edge;
        }
    if (count == 0) return 0;
    const auto hits = [](const Edge& edge, Square s) { return edge.a == s || edge.b == s; };
    bool two = false;
    for (Square s : {edges[0].a, edges[0].b}) {
        if (s == nowhere) continue;
        std::size_t i = 1;
        while (i < count && hits(edges[i], s)) ++i;
        if (i == count) return 1;
        if (two) continue;
        for (Square t : {edges[i].a, edges[i].b}) {
            if (t == nowhere) continue;
            std::size_t j = i + 1;
            while (j < count && (hits(edges[j], s) || hits(edges[j], t))) ++j;
            two |= j == count;
        }
    }
    return two ? 2 : 3;
}

template <class PositionType>
class PairGenerator {
public:
    using SquareSet = typename PositionType::SquareSet;

    explicit PairGenerator(PositionType& position) : position_(position), hot_(std::size_t(position.geometry().squares)), cold_(hot_.size()) {}

    // A move that leaves more than two threats.
    bool decisive(Stones& move) {
        find_hot();
        for (std::size_t i = 0; i < hot_list_.size(); ++i) {
            const Square a = hot_list_[i];
            const Hot& first = hot_[a];
            SquareSet seconds;
            bool any = false;
            for (std::size_t j = i + 1; j < hot_list_.size(); ++j) {
                const Square b = hot_list_[j];
                const Hot& second = hot_[b];
                if (first.alone + second.alone >= 3 || in_line(a, b)) seconds.add(b), any = true;
            }
            if (!any && first.alone < 2) {
                // Only a partner that is not hot itself, on a segment of two stones through both, could still help; with one
                // threat of the first stone it adds at most two on the line, so it must be tried.
                if (!has_cold_partner(a)) continue;
            }
            if (place_and_search(a, seconds, move)) return true;
        }
        return false;
    }

    // All moves with at least `least` threats (1 or 2). `wide` lets a free second stone stand anywhere, else only on
    // segments with a stone of the attacker.
    void moves(int least, bool wide, std::vector<Candidate>& out) {
        out.clear();
        find_hot();
        SquareSet everywhere = position_.empty();
        if (!wide) everywhere = squares_on(1);
        for (std::size_t i = 0; i < hot_list_.size(); ++i) {
            const Square a = hot_list_[i];
            const Hot first = hot_[a];
            for (std::size_t j = i + 1; j < hot_list_.size(); ++j) {
                const Square b = hot_list_[j];
                if (in_line(a, b)) continue;  // below
                const Hot& second = hot_[b];
                const int threats = first.alone + second.alone > 2 ? 2 : share_cover(first, second) ? 1 : 2;
                if (threats >= least) emit(a, b, threats, first.value + second.value, out);
            }
            position_.place(a, attacker);
            SquareSet partners = squares_on(near());  // the others in line, hot or made so by the first stone
            partners.each([&](Square b) {
                if (!in_line(a, b) || (is_hot(b) && b < a)) return;
                position_.place(b, attacker);
                const int threats = threat_number_of_two(position_, attacker);
                position_.remove(b);
                if (threats >= least) emit(a, b, threats, first.value + value_of(b), out);
            });
            position_.remove(a);
            if (first.alone >= least)
                everywhere.each([&](Square b) {
                    if (b == a || is_hot(b) || (partners.has(b) && in_line(a, b))) return;
                    emit(a, b, first.alone, first.value + value_of(b), out);
                });
        }
        cold_pairs(least, out);
        std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    }

    bool any_move(int least) {
        find_hot();
        for (Square a : hot_list_)
            if (hot_[a].alone >= least) return true;
        std::vector<Candidate> found;
        moves(least, false, found);
        return !found.empty();
    }

private:
    struct Hot {
        Square cover[2] = {0, 0};  // squares that alone meet all its threats; `covers` of them
        int covers = 0;
        int segments = 0;  // of three stones through it
        int alone = 0;     // its threats when placed alone: 1, or 2 for two and more
        int value = 0;
        bool is_hot = false;
    };

    int near() const { return position_.k() - 3; }
    bool is_hot(Square s) const { return hot_[s].is_hot; }

    // Which squares make a threat alone, and which one stone would meet it.
    void find_hot() {
        for (Square s : hot_list_) hot_[s] = Hot();
        hot_list_.clear();
        for (SegmentId id : position_.open(attacker, near())) {
            std::array<Square, 3> empty{};
            int count = 0;
            position_.each_empty(id, [&](Square s) { empty[std::size_t(count++)] = s; });
            for (int i = 0; i < 3; ++i) {
                Hot& hot = hot_[empty[std::size_t(i)]];
                const Square u = empty[std::size_t((i + 1) % 3)], v = empty[std::size_t((i + 2) % 3)];
                if (!hot.is_hot) {
                    hot.is_hot = true;
                    hot.cover[0] = u, hot.cover[1] = v;
                    hot.covers = 2;
                    hot_list_.push_back(empty[std::size_t(i)]);
                } else {
                    int kept = 0;
                    for (int c = 0; c < hot.covers; ++c)
                        if (hot.cover[c] == u || hot.cover[c] == v) hot.cover[kept++] = hot.cover[c];
                    hot.covers = kept;
                }
                ++hot.segments;
            }
        }
        std::sort(hot_list_.begin(), hot_list_.end());
        std::fill(cold_.begin(), cold_.end(), std::uint8_t(0));
        if (near() > 1)
            for (SegmentId id : position_.open(attacker, near() - 1))
                position_.each_empty(id, [this](Square s) { cold_[s] += cold_[s] < 255; });
        for (Square s : hot_list_) {
            Hot& hot = hot_[s];
            hot.alone = hot.covers > 0 ? 1 : 2;
            hot.value = 4 * hot.segments + 32 * hot.alone + value_of_cold(s);
        }
    }

    int value_of(Square s) const { return is_hot(s) ? hot_[s].value : value_of_cold(s); }

    // How many segments run through a square that lack one stone more than those that make it hot.
    int value_of_cold(Square s) const { return cold_[s]; }

    static bool share_cover(const Hot& a, const Hot& b) {
        for (int i = 0; i < a.covers; ++i)
            for (int j = 0; j < b.covers; ++j)
                if (a.cover[i] == b.cover[j]) return true;
        return false;
    }

    bool has_cold_partner(Square a) const { return near() == 1 || cold_[a] > 0; }

    bool place_and_search(Square a, SquareSet seconds, Stones& move) {
        bool found = false;
        position_.place(a, attacker);
        if (hot_[a].alone >= 2 && threat_number_of_two(position_, attacker) > 2) {
            // The second stone is free; any empty square will do, the first in order.
            bool chosen = false;
            position_.empty().each([&](Square s) {
                if (!chosen) move = Stones{a, s}, chosen = true;
            });
            if (!chosen) move = Stones{a};
            found = true;
        }
        squares_on(near()).each([&](Square b) {
            if (!is_hot(b)) seconds.add(b);  // made hot by the first stone
        });
        seconds.each([&](Square b) {
            if (found) return;
            position_.place(b, attacker);
            if (threat_number_of_two(position_, attacker) > 2) move = Stones{std::min(a, b), std::max(a, b)}, found = true;
            position_.remove(b);
        });
        position_.remove(a);
        return found;
    }

    // Pairs without a hot stone: both on a segment of two stones.
    void cold_pairs(int least, std::vector<Candidate>& out) {
        const SquareSet firsts = near() > 1 ? squares_on(near() - 1) : position_.empty();
        firsts.each([&](Square a) {
            if (is_hot(a)) return;
            position_.place(a, attacker);
            squares_on(near()).each([&](Square b) {
                if (b < a || is_hot(b)) return;
                position_.place(b, attacker);
                const int threats = threat_number_of_two(position_, attacker);
                position_.remove(b);
                if (threats >= least) emit(a, b, threats, 16 + value_of_cold(a) + value_of_cold(b), out);
            });
            position_.remove(a);
        });
    }

    void emit(Square a, Square b, int threats, int value, std::vector<Candidate>& out) {
        out.push_back({Stones{std::min(a, b), std::max(a, b)}, threats, threats * 256 + value});
    }

    SquareSet squares_on(int least) const {
        SquareSet squares;
        for (int count = position_.k() - 1; count >= std::max(1, least); --count)
            for (SegmentId id : position_.open(attacker, count))
                position_.each_empty(id, [&squares](Square s) { squares.add(s); });
        return squares;
    }

    bool in_line(Square a, Square b) const {
        const int w = position_.geometry().width;
        const int dx = std::abs(a % w - b % w), dy = std::abs(a / w - b / w);
        return std::max(dx, dy) < position_.k() && (dx == 0 || dy == 0 || dx == dy);
    }

    PositionType& position_;
    std::vector<Hot> hot_;
    std::vector<std::uint8_t> cold_;
    std::vector<Square> hot_list_;
};

}  // namespace tengen
