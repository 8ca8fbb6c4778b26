// A position as the searches see it: attacker and defender stones, and the segments that are still open to one of them,
// sorted by how many stones they hold. Everything is updated stone by stone.
#pragma once

#include <algorithm>
#include <type_traits>

#include "board.hpp"
#include "zone.hpp"

namespace tengen {

enum Side : int { attacker = 0, defender = 1 };

// K and P are the game's k and p where they are known at compile time (Connect6, the fast case), else 0.
template <int K, int P, int WordCount>
class Position {
public:
    static constexpr int Words = WordCount;
    static constexpr int max_p = 8;
    using SquareSet = Squares<Words>;
    using ZoneType = Zone<Words>;
    using Mask = std::conditional_t<K != 0 && K <= 8, std::uint8_t, std::uint64_t>;

    // In a maker-breaker game the defender's rows count for nothing.
    Position(const Geometry& geometry, int p, bool maker_breaker = false) : g_(geometry), p_(p), maker_breaker_(maker_breaker) {
        if (p < 1 || p > max_p) throw std::invalid_argument("the search knows p from 1 to 8");
        if (geometry.squares > Words * 64) throw std::invalid_argument("the board is too large for this search");
        stones_.assign(std::size_t(g_.squares), none);
        segments_.assign(std::size_t(g_.segments), Segment{});
        // Fuller segments are asked for all the time, emptier ones hardly ever: those are not worth a list.
        lowest_list_ = std::max(1, geometry.k - 2 * p);
        lists_.assign(std::size_t(2 * (g_.k + 1)) * std::size_t(g_.segments), 0);
        for (int list = 0; list < 2 * (g_.k + 1); ++list) ends_.push_back(lists_.data() + list * g_.segments);
        heads_ = ends_;
        for (Square s = 0; s < g_.squares; ++s) empty_.add(s);
    }

    Position(const Position&) = delete;  // the lists are found by address
    Position(Position&&) = default;

    // The same stones on another board.
    Position copy() const {
        Position other(g_, p_, maker_breaker_);
        for (int side : {attacker, defender}) held_[std::size_t(side)].each([&](Square s) { other.place(s, side); });
        return other;
    }

    int k() const { return K ? K : g_.k; }
    int p() const { return P ? P : p_; }
    const Geometry& geometry() const { return g_; }
    std::uint64_t key() const { return key_; }
    bool is_empty(Square s) const { return stones_[s] == none; }
    const SquareSet& empty() const { return empty_; }
    int stone(Square s) const { return stones_[s]; }

    void place(Square s, int side) {
        stones_[s] = std::int8_t(side);
        empty_.remove(s);
        held_[std::size_t(side)].add(s);
        key_ ^= stone_key(s, 0, side);
        const int other = 1 - side;
        const Lists lists = local_lists();
        for (auto [through, end] = through_range(s); through < end; ++through) {
            Segment& segment = lists.segments[through->segment];
            segment.occupied |= Mask(Mask(1) << through->place);
            const int mine = segment.count[side]++, theirs = segment.count[other];
            if (theirs == 0) {
                if (mine >= lists.lowest) lists.erase(index(side, mine), segment);
                if (mine + 1 >= lists.lowest) lists.push(index(side, mine + 1), through->segment, segment);
            } else if (mine == 0 && theirs >= lists.lowest) {
                lists.erase(index(other, theirs), segment);
            }
        }
    }

    void remove(Square s) {
        const int side = stones_[s], other = 1 - side;
        stones_[s] = none;
        empty_.add(s);
        held_[std::size_t(side)].remove(s);
        key_ ^= stone_key(s, 0, side);
        const Lists lists = local_lists();
        for (auto [through, end] = through_range(s); through < end; ++through) {
            Segment& segment = lists.segments[through->segment];
            segment.occupied &= Mask(~(Mask(1) << through->place));
            const int mine = --segment.count[side], theirs = segment.count[other];
            if (theirs == 0) {
                if (mine + 1 >= lists.lowest) lists.erase(index(side, mine + 1), segment);
                if (mine >= lists.lowest) lists.push(index(side, mine), through->segment, segment);
            } else if (mine == 0 && theirs >= lists.lowest) {
                lists.push(index(other, theirs), through->segment, segment);
            }
        }
    }

    struct SegmentList {
        const SegmentId *first, *last;
        const SegmentId* begin() const { return first; }
        const SegmentId* end() const { return last; }
        bool empty() const { return first == last; }
        int size() const { return int(last - first); }
    };

    // The segments open to one side alone in which it has that many stones, from `lowest_list()` on.
    SegmentList open(int side, int stones) const {
        const std::size_t list = index(side, stones);
        return {heads_[list], ends_[list]};
    }

    int lowest_list() const { return K && P ? std::max(1, K - 2 * P) : lowest_list_; }

    // Every segment open to one side alone in which it has at least so many stones (one or more), but no row.
    template <class Visit>
    void each_open(int side, int least, Visit visit) const {
        each_open(side, least, k() - 1, visit);
    }

    // The same with `most` stones at most.
    template <class Visit>
    void each_open(int side, int least, int most, Visit visit) const {
        if (side == defender && maker_breaker_) return;
        for (int count = std::min(k() - 1, most); count >= std::max(least, lowest_list()); --count)
            for (SegmentId id : open(side, count)) visit(id);
        const int unlisted = std::min(most, lowest_list() - 1);
        if (least > unlisted) return;
        if (unlisted == 1) {  // each belongs to one stone
            held_[std::size_t(side)].each([&](Square stone) {
                for (auto [through, end] = through_range(stone); through < end; ++through) {
                    const Segment& s = segments_[through->segment];
                    if (s.count[1 - side] == 0 && s.count[side] == 1) visit(through->segment);
                }
            });
            return;
        }
        for (int id = 0; id < g_.segments; ++id) {
            const Segment& s = segments_[std::size_t(id)];
            if (s.count[1 - side] == 0 && s.count[side] >= least && s.count[side] <= unlisted) visit(SegmentId(id));
        }
    }

    // The empty squares of these segments.
    SquareSet squares_on_open(int side, int least) const {
        SquareSet squares;
        each_open(side, least, [&](SegmentId id) { each_empty(id, [&squares](Square s) { squares.add(s); }); });
        return squares;
    }

    bool has_row(int side) const { return !(side == defender && maker_breaker_) && !open(side, k()).empty(); }

    // A segment that the side can fill with `stones` stones; -1 if there is none.
    int fillable(int side, int stones) const {
        if (side == defender && maker_breaker_) return -1;
        for (int count = k(); count >= std::max(lowest_list(), k() - stones); --count)
            if (!open(side, count).empty()) return *open(side, count).begin();
        if (k() - stones < lowest_list() && k() > stones) {  // a first move of more than p stones
            int found = -1;
            each_open(side, k() - stones, [&found](SegmentId id) { found = found < 0 ? id : found; });
            if (found >= 0) return found;
        }
        if (stones >= k())  // even an empty segment can be filled in one go
            for (int id = 0; id < g_.segments; ++id)
                if (segments_[std::size_t(id)].count[1 - side] == 0) return id;
        return -1;
    }

    // What a stone of the defender on a square would take from the attacker, and build (weights that searched least).
    int defence_value(Square s) const {
        int value = 0;
        each_through(s, [&value](int theirs, int ours) {
            if (ours == 0 && theirs > 1) value += theirs * theirs;
            if (theirs == 0) value += ours * ours * ours;
        });
        return value;
    }

    // The stones of attacker and defender in every segment through a square.
    template <class Visit>
    void each_through(Square s, Visit visit) const {
        for (auto i = g_.first_through[s], end = g_.first_through[s + 1u]; i < end; ++i) {
            const Segment& segment = segments_[g_.through[i].segment];
            visit(segment.count[attacker], segment.count[defender]);
        }
    }

    // Open to both sides, without a stone.
    bool is_untouched(int segment) const {
        const Segment& s = segments_[std::size_t(segment)];
        return s.count[attacker] == 0 && s.count[defender] == 0;
    }

    bool threatens(int side) const { return fillable(side, p()) >= 0; }

    template <class Visit>
    void each_empty(int segment, Visit visit) const {
        const Square* squares = g_.squares_of(segment);
        const Mask all = K ? Mask((1u << (K & 31)) - 1) : Mask(g_.k == 64 ? ~0ULL : (1ULL << g_.k) - 1);
        for (Mask left = Mask(~segments_[std::size_t(segment)].occupied & all); left; left = Mask(left & (left - 1)))
            visit(squares[std::countr_zero(left)]);
    }

private:
    struct alignas(K != 0 && K <= 8 ? 8 : 16) Segment {
        std::uint8_t count[2] = {0, 0};
        std::uint16_t where = 0;  // its place in a list; a segment is open to one side at most, so one is enough
        Mask occupied = 0;
    };
    static constexpr std::int8_t none = -1;

    std::size_t index(int side, int count) const { return std::size_t(side * (k() + 1) + count); }

    // The lists by plain pointers. Counts are bytes, and writing a byte may change anything as far as the compiler knows: it
    // would look the vectors up again after each.
    struct Lists {
        Segment* segments;
        SegmentId* const* heads;
        SegmentId** ends;
        int lowest;

        void push(std::size_t list, SegmentId id, Segment& segment) const {
            SegmentId* const end = ends[list];
            segment.where = std::uint16_t(end - heads[list]);
            *end = id;
            ends[list] = end + 1;
        }
        void erase(std::size_t list, const Segment& segment) const {
            SegmentId* const end = ends[list] - 1;
            const SegmentId last = *end;
            ends[list] = end;
            const std::uint16_t where = segment.where;
            heads[list][where] = last;
            segments[last].where = where;
        }
    };

    Lists local_lists() { return {segments_.data(), heads_.data(), ends_.data(), lowest_list()}; }

    std::pair<const Geometry::Through*, const Geometry::Through*> through_range(Square s) const {
        return {g_.through.data() + g_.first_through[s], g_.through.data() + g_.first_through[s + 1u]};
    }

    const Geometry& g_;
    int p_;
    bool maker_breaker_;
    int lowest_list_;
    std::vector<std::int8_t> stones_;
    std::vector<Segment> segments_;
    std::vector<SegmentId> lists_;  // [side][count][place], each list with room for all segments
    std::vector<SegmentId*> heads_, ends_;  // of the lists, [side][count]
    SquareSet empty_;
    std::array<SquareSet, 2> held_;  // the stones of each side
    std::uint64_t key_ = 0;
};

}  // namespace tengen
