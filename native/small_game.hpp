// Who wins a small game, against every reply? A board of up to 64 squares is two words of bits.
//
// The question is always "does the attacker complete a row before the defender does?". What keeps the tree small: who can
// complete a row does; who is threatened places his next stone into a threat; positions are equal up to symmetry, and
// up to everything on segments that nobody can fill any more. A stone on such a dead square does no more than a pass,
// and a stone of one's own never harms: so dead squares are not tried.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "board.hpp"
#include "geometry.hpp"
#include "small_gaps.hpp"

namespace tengen::small {

enum Role : int { attacking = 0, defending = 1 };
enum class Verdict { open, won, held };  // for the attacker; held: he does not win

struct State {
    std::array<Bits, 2> stones{};
    int mover = attacking;
    int left = 1;  // stones that the mover still places in this turn

    Bits occupied() const { return stones[0] | stones[1]; }
};

// What a position is up to dead squares: stones that can still be part of a row, and empty squares that can.
struct Live {
    Bits attackers, defenders, empty;
    bool operator==(const Live&) const = default;
    auto operator<=>(const Live&) const = default;
};

// One look at all segments.
struct View {
    Verdict verdict = Verdict::open;
    Live live{};
    Bits candidates = 0;  // squares for the next stone; some best move has one of them
};

class Rules {
public:
    Rules(int width, int height, int k, int p, bool defender_wins) : width_(width), k_(k), p_(p), defender_wins_(defender_wins) {
        const Geometry geometry(width, height, k);
        if (geometry.squares > 64) throw std::invalid_argument("a small board has at most 64 squares");
        board_ = geometry.squares == 64 ? ~Bits(0) : bit(geometry.squares) - 1;
        for (int id = 0; id < geometry.segments; ++id) {
            Bits segment = 0;
            for (int i = 0; i < k; ++i) segment |= bit(geometry.squares_of(id)[i]);
            segments_.push_back(segment);
        }
        for (int stones = 0; stones <= p; ++stones) rise_.push_back(std::pow(1.0 + p, double(stones) / p));
        for (int lack = 0; lack <= k; ++lack) weight_.push_back(std::pow(1.0 + p, -double(lack) / p));
        for (int s = 1; s < (width == height ? 8 : 4); ++s) {
            auto& table = images_.emplace_back();
            for (int square = 0; square < geometry.squares; ++square) {
                int x = square % width, y = square / width;
                if (s & 4) std::swap(x, y);
                if (s & 1) x = width - 1 - x;
                if (s & 2) y = height - 1 - y;
                for (int byte = 0; byte < 256; ++byte)
                    if (byte >> (square & 7) & 1)
                        table[std::size_t(square >> 3)][std::size_t(byte)] |= bit(x + y * width);
            }
        }
        bytes_ = (geometry.squares + 7) / 8;
    }

    int width() const { return width_; }
    int k() const { return k_; }
    int p() const { return p_; }
    bool defender_wins() const { return defender_wins_; }
    Bits board() const { return board_; }
    const std::vector<Bits>& segments() const { return segments_; }
    Bits empty(const State& s) const { return board_ & ~s.occupied(); }
    bool is_open(const State& s, int role) const {
        const Bits other = s.stones[std::size_t(1 - role)];
        return can_win(role) &&
               std::any_of(segments_.begin(), segments_.end(), [other](Bits segment) { return !(segment & other); });
    }
    bool can_win(int role) const { return role == attacking || defender_wins_; }

    State after(State s, int square) const {
        s.stones[std::size_t(s.mover)] |= bit(square);
        if (--s.left == 0) {
            s.mover = 1 - s.mover;
            s.left = p_;
        }
        return s;
    }

    // The empty squares of a segment that the mover can fill now; none if there is no such segment.
    Bits filling(const State& s) const {
        if (!can_win(s.mover)) return 0;
        const Bits own = s.stones[std::size_t(s.mover)], other = s.stones[std::size_t(1 - s.mover)];
        for (Bits segment : segments_)
            if (!(segment & other) && std::popcount(segment & ~own) <= s.left) return segment & ~own;
        return 0;
    }

    // The gaps of all segments that a side would fill in its next move.
    std::vector<Bits> threats(const State& s, int role) const {
        std::vector<Bits> gaps;
        if (!can_win(role)) return gaps;
        const Bits own = s.stones[std::size_t(role)], other = s.stones[std::size_t(1 - role)];
        for (Bits segment : segments_)
            if (!(segment & other) && std::popcount(segment & ~own) <= p_) gaps.push_back(segment & ~own);
        return gaps;
    }

    View view(const State& s) const {
        View view;
        const Bits a = s.stones[attacking], d = s.stones[defending];
        std::array<Bits, 256> gaps;  // of the other side's threats
        std::size_t threats = 0;
        std::array<Bits, 2> open{};
        const int reach_a = s.mover == attacking ? s.left : p_, reach_d = s.mover == defending ? s.left : p_;
        bool fills = false;
        double danger = 0;
        for (Bits segment : segments_) {
            if (!(segment & d)) {
                open[attacking] |= segment;
                const Bits gap = segment & ~a;
                const int lack = std::popcount(gap);
                danger += weight_[std::size_t(lack)];
                if (lack <= reach_a) {
                    if (s.mover == attacking) fills = true;
                    else gaps[threats++] = gap;
                }
            }
            if (!(segment & a) && defender_wins_) {
                open[defending] |= segment;
                const Bits gap = segment & ~d;
                if (std::popcount(gap) <= reach_d) {
                    if (s.mover == defending) fills = true;
                    else gaps[threats++] = gap;
                }
            }
        }
        const Verdict mover_wins = s.mover == attacking ? Verdict::won : Verdict::held;
        view.live = {a & open[attacking], d & open[defending], empty(s) & (open[attacking] | open[defending])};
        if (fills) {
            view.verdict = mover_wins;
            return view;
        }
        if (!open[attacking]) {
            view.verdict = Verdict::held;
            return view;
        }
        // Beck's criterion: the defender who always takes the most dangerous squares lets no segment be filled.
        if (s.mover == attacking) danger *= rise_[std::size_t(std::min(s.left, p_))];
        const bool is_harmless = danger < 1 - 1e-9 && (s.mover == attacking ? s.left <= p_ : s.left >= p_);
        if (is_harmless) view.verdict = Verdict::held;
        view.candidates = view.live.empty;
        if (threats == 0) return view;
        Bits narrowest = gaps[0];
        for (std::size_t i = 1; i < threats; ++i)
            if (std::popcount(gaps[i]) < std::popcount(narrowest)) narrowest = gaps[i];
        view.candidates = 0;
        each(narrowest, [&](int square) {
            if (can_meet(gaps.data(), threats, bit(square), s.left - 1)) view.candidates |= bit(square);
        });
        if (!view.candidates) view.verdict = s.mover == attacking ? Verdict::held : Verdict::won;
        return view;
    }

    // The square that the attacker's open segments need most.
    int most_dangerous(const State& s) const {
        std::array<double, 64> danger{};
        for (Bits segment : segments_) {
            if (segment & s.stones[defending]) continue;
            const Bits gap = segment & ~s.stones[attacking];
            each(gap, [&](int square) { danger[std::size_t(square)] += weight_[std::size_t(std::popcount(gap))]; });
        }
        return int(std::max_element(danger.begin(), danger.end()) - danger.begin());
    }

    std::uint64_t key(const State& s, const Live& live) const {
        Live least = live;
        for (const auto& table : images_) {
            const Live image{mapped(table, live.attackers), mapped(table, live.defenders), mapped(table, live.empty)};
            if (image < least) least = image;
        }
        const auto turn = std::uint64_t(s.mover * 64 + s.left);
        return mix(least.attackers ^ mix(least.defenders ^ mix(least.empty ^ mix(turn))));
    }

    // Disjoint pairs of empty squares, one in each segment still open to the attacker: with one stone a move, who
    // always answers in the same pair holds. The search for them gives up early, so that none found means nothing.
    std::optional<Pairs> pairing(const State& s, int budget) const { return small::pairing(gaps(s), budget); }

    // What the attacker lacks on the segments that are open to him.
    Gaps gaps(const State& s) const {
        Gaps gaps;
        for (Bits segment : segments_)
            if (!(segment & s.stones[defending])) gaps.push_back(segment & ~s.stones[attacking]);
        keep_smallest(gaps);
        return gaps;
    }

private:
    using Image = std::array<std::array<Bits, 256>, 8>;

    Bits mapped(const Image& table, Bits bits) const {
        Bits out = 0;
        for (int i = 0; i < bytes_; ++i) out |= table[std::size_t(i)][bits >> (8 * i) & 255];
        return out;
    }

    static bool can_meet(const Bits* gaps, std::size_t count, Bits chosen, int left) {
        for (std::size_t i = 0; i < count; ++i) {
            if (gaps[i] & chosen) continue;
            for (Bits rest = left > 0 ? gaps[i] : 0; rest; rest &= rest - 1)
                if (can_meet(gaps + i + 1, count - i - 1, chosen | lowest(rest), left - 1)) return true;
            return false;
        }
        return true;
    }

    int width_, k_, p_;
    bool defender_wins_;
    Bits board_ = 0;
    int bytes_ = 0;
    std::vector<Bits> segments_;
    std::vector<double> weight_, rise_;  // of a segment by what it lacks; of all danger by the attacker's next stones
    std::vector<Image> images_;
};

}  // namespace tengen::small
