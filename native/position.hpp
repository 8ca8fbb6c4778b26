// A position as the searches see it: attacker and defender stones, and how many of each stand on every segment.
//
// Stones come and go far more often than anything else happens, so that must be cheap: counts are kept as binary digits, each a set
// of segments, and a stone adds one to all segments through it with a few operations on whole words. Which segments are open to a
// side with so many stones is read off the same way, when it is asked for.
#pragma once

#include <algorithm>
#include <bit>
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

    // In a maker-breaker game the defender's rows count for nothing.
    Position(const Geometry& geometry, int p, bool maker_breaker = false)
        : g_(geometry),
          p_(p),
          maker_breaker_(maker_breaker),
          digits_(std::bit_width(unsigned(geometry.k))),
          words_(geometry.segment_words()),
          counts_(words_ * 2 * std::size_t(digits_ + 1)),
          strip_(std::size_t(g_.squares) * Geometry::directions / 64 + 2) {
        if (p < 1 || p > max_p) throw std::invalid_argument("the search knows p from 1 to 8");
        if (geometry.squares > Words * 64) throw std::invalid_argument("the board is too large for this search");
        for (Square s = 0; s < g_.squares; ++s) empty_.add(s);
    }

    Position(const Position&) = delete;  // by mistake it would be slow; `copy` says what it does
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
    bool is_empty(Square s) const { return empty_.has(s); }
    bool has_stone(Square s, int side) const { return held_[std::size_t(side)].has(s); }
    const SquareSet& empty() const { return empty_; }

    void place(Square s, int side) {
        empty_.remove(s);
        held_[std::size_t(side)].add(s);
        key_ ^= stone_key(s, 0, side);
        toggle_on_strip(s, side);
        each_count(s, side, [this](std::uint64_t* digits, std::uint64_t carry) {
            digits[digit_count()] |= carry;
            for (int i = 0; i < digit_count(); ++i) {
                const std::uint64_t digit = digits[i];
                digits[i] = digit ^ carry;
                carry &= digit;
            }
        });
    }

    void remove(Square s) {
        const int side = held_[defender].has(s) ? defender : attacker;
        empty_.add(s);
        held_[std::size_t(side)].remove(s);
        key_ ^= stone_key(s, 0, side);
        toggle_on_strip(s, side);
        each_count(s, side, [this](std::uint64_t* digits, std::uint64_t borrow) {
            std::uint64_t any = 0;
            for (int i = 0; i < digit_count(); ++i) {
                const std::uint64_t digit = digits[i];
                digits[i] = digit ^ borrow;
                any |= digits[i];
                borrow &= ~digit;
            }
            digits[digit_count()] = any;
        });
    }

    // The segments open to one side alone in which it has that many stones, one or more. Good until the next stone.
    class SegmentList {
    public:
        SegmentList(const Position& position, int side, int stones) : position_(position), side_(side), stones_(stones) {}

        // One word of them, as a set.
        std::uint64_t word(std::size_t i) const {
            const std::uint64_t* own = position_.digits(i, side_);
            std::uint64_t found = ~position_.digits(i, 1 - side_)[position_.digit_count()];
            for (int d = 0; d < position_.digit_count(); ++d) found &= own[d] ^ (std::uint64_t(stones_ >> d & 1) - 1);
            return found;
        }
        template <class Visit>
        void each(Visit visit) const {
            for (std::size_t i = 0; i < position_.words_; ++i)
                for (std::uint64_t left = word(i); left; left &= left - 1) visit(SegmentId(i * 64 + std::size_t(std::countr_zero(left))));
        }
        bool empty() const {
            std::uint64_t any = 0;
            for (std::size_t i = 0; i < position_.words_; ++i) any |= word(i);
            return any == 0;
        }
        int size() const {
            int total = 0;
            for (std::size_t i = 0; i < position_.words_; ++i) total += std::popcount(word(i));
            return total;
        }
        // The first, or -1.
        int first() const {
            for (std::size_t i = 0; i < position_.words_; ++i)
                if (const std::uint64_t found = word(i)) return int(i) * 64 + std::countr_zero(found);
            return -1;
        }

    private:
        const Position& position_;
        const int side_, stones_;
    };

    SegmentList open(int side, int stones) const { return {*this, side, stones}; }

    // Every segment open to one side alone in which it has at least so many stones (one or more), but no row; the fullest first.
    template <class Visit>
    void each_open(int side, int least, Visit visit) const {
        each_open(side, least, k() - 1, visit);
    }

    // The same with `most` stones at most.
    template <class Visit>
    void each_open(int side, int least, int most, Visit visit) const {
        if (side == defender && maker_breaker_) return;
        for (int count = std::min(k() - 1, most); count >= least; --count)
            open(side, count).each(visit);
    }

    // The empty squares of these segments.
    SquareSet squares_on_open(int side, int least) const {
        SquareSet squares;
        each_open(side, least, [&](SegmentId id) { each_empty(id, [&squares](Square s) { squares.add(s); }); });
        return squares;
    }

    bool has_row(int side) const { return !(side == defender && maker_breaker_) && !open(side, k()).empty(); }

    // A segment that the side can fill with `stones` stones, the fullest of all; -1 if there is none.
    int fillable(int side, int stones) const {
        if (side == defender && maker_breaker_) return -1;
        if (!has_open(side, std::max(1, k() - stones))) return stones >= k() ? first_untouched_by(1 - side) : -1;
        for (int count = k();; --count)
            if (const int found = open(side, count).first(); found >= 0) return found;
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
        const int together = 65 - k();  // so many segments with neighbouring numbers lie on one word
        for (int d = 0; d < Geometry::directions; ++d) {
            const Geometry::Run& run = g_.run(s, d);
            for (int done = 0; done < run.count; done += together) {
                const Stretch stones = stretch(g_.segment_start[std::size_t(run.first + done)]);
                for (int i = 0; i < std::min(together, run.count - done); ++i)
                    visit(std::popcount(stones.attackers >> i & all_places()), std::popcount((stones.all & ~stones.attackers) >> i & all_places()));
            }
        }
    }

    // Where p is 2: whether the attacker could still make three threats with one move if the defender had stones on these squares as
    // well. That takes three segments which lack four stones at most, one of them three.
    template <class Stones>
    bool has_lines_for_three(const Stones& stones) const {
        int found = 0;
        for (int lacking = 3; lacking <= 4; ++lacking) {
            open(attacker, k() - lacking).each([&](SegmentId id) {
                bool is_met = found >= 3;
                if (!is_met) each_empty(id, [&](Square s) { is_met |= stones.has(s); });
                found += !is_met;
            });
            if (found == 0 || found >= 3) break;
        }
        return found >= 3;
    }

    // Open to both sides, without a stone.
    bool is_untouched(int segment) const { return occupied(segment) == 0; }

    bool threatens(int side) const {
        if (side == defender && maker_breaker_) return false;
        return has_open(side, std::max(1, k() - p())) || (p() >= k() && first_untouched_by(1 - side) >= 0);
    }

    template <class Visit>
    void each_empty(int segment, Visit visit) const {
        const Square* squares = g_.squares_of(segment);
        each_empty_place(segment, [&](int place) { visit(squares[place]); });
    }

    // The same by where in the segment they are.
    template <class Visit>
    void each_empty_place(int segment, Visit visit) const {
        for (std::uint64_t left = ~occupied(segment) & all_places(); left; left &= left - 1) visit(std::countr_zero(left));
    }

private:
    // Stones on a stretch of line, a bit for each square.
    struct Stretch {
        std::uint64_t all = 0, attackers = 0;
    };

    int digit_count() const { return K ? std::bit_width(unsigned(K)) : digits_; }
    std::uint64_t all_places() const { return ~std::uint64_t(0) >> (64 - k()); }

    // The digits of a side's counts in one word of segments, the lowest first; after them, where the count is not 0.
    std::uint64_t* digits(std::size_t word, int side) { return counts_.data() + place_of(word, side); }
    const std::uint64_t* digits(std::size_t word, int side) const { return counts_.data() + place_of(word, side); }
    std::size_t place_of(std::size_t word, int side) const { return (word * 2 + std::size_t(side)) * std::size_t(digit_count() + 1); }

    template <class Change>
    void each_count(Square s, int side, Change change) {
        for (auto i = g_.first_span[s], end = g_.first_span[s + 1u]; i < end; ++i) change(digits(g_.spans[i].word, side), g_.spans[i].mask);
    }

    // Whether any segment is open to a side in which it has at least so many stones.
    bool has_open(int side, int least) const {
        const int top = digit_count() - 1;
        if (least == 1 << top) {  // in Connect6, 4 to 6 stones: the highest digit tells
            std::uint64_t any = 0;
            for (std::size_t i = 0; i < words_; ++i) any |= digits(i, side)[top] & ~digits(i, 1 - side)[top + 1];
            return any != 0;
        }
        for (int count = k(); count >= least; --count)
            if (!open(side, count).empty()) return true;
        return false;
    }

    // A segment without a stone of that side; -1 if there is none.
    int first_untouched_by(int side) const {
        for (int id = 0; id < g_.segments; ++id) {
            const Stretch stones = stretch(g_.segment_start[std::size_t(id)]);
            if (((side == attacker ? stones.attackers : stones.all & ~stones.attackers) & all_places()) == 0) return id;
        }
        return -1;
    }

    void toggle_on_strip(Square s, int side) {
        for (int d = 0; d < Geometry::directions; ++d) {
            const std::uint32_t place = g_.place_on_strip(s, d);
            const std::uint64_t bit = std::uint64_t(1) << (place & 63);
            strip_[place >> 6].all ^= bit;
            strip_[place >> 6].attackers ^= side == attacker ? bit : 0;
        }
    }

    // Those on 64 squares from a place of the strip on.
    Stretch stretch(std::uint32_t start) const {
        const Stretch& low = strip_[start >> 6];
        const Stretch& high = strip_[(start >> 6) + 1];
        const unsigned shift = start & 63;
        return {low.all >> shift | high.all << 1 << (63 - shift), low.attackers >> shift | high.attackers << 1 << (63 - shift)};
    }

    std::uint64_t occupied(int segment) const { return stretch(g_.segment_start[std::size_t(segment)]).all & all_places(); }

    const Geometry& g_;
    int p_;
    bool maker_breaker_;
    int digits_;
    std::size_t words_;
    std::vector<std::uint64_t> counts_;  // [word][side][digit], and one more: see `digits`
    std::vector<Stretch> strip_;         // the stones on all lines, one after another, in words
    SquareSet empty_;
    std::array<SquareSet, 2> held_;  // the stones of each side
    std::uint64_t key_ = 0;
};

}  // namespace tengen
