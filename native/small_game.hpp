// Who wins a small game, against every reply? A board of up to 64 squares is two words of bits.
//
// The question is always "does the attacker complete a row before the defender does?". Proof-number search answers it
// stone by stone, so that the order of a move's stones does not matter to the table. What keeps the tree small: who can
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
#include "control.hpp"
#include "geometry.hpp"
#include "meter.hpp"

namespace tengen::small {

using Bits = std::uint64_t;
enum Role : int { attacking = 0, defending = 1 };
enum class Verdict { open, won, held };  // for the attacker; held: he does not win

inline Bits bit(int square) { return Bits(1) << square; }

inline Bits lowest(Bits bits) { return bits & (~bits + 1); }

template <class Visit>
void each(Bits bits, Visit visit) {
    for (; bits; bits &= bits - 1) visit(std::countr_zero(bits));
}

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
    Rules(int width, int height, int k, int p, bool defender_wins) : k_(k), p_(p), defender_wins_(defender_wins) {
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
    std::optional<std::vector<std::pair<int, int>>> pairing(const State& s, int budget) const {
        std::vector<Bits> gaps;
        for (Bits segment : segments_)
            if (!(segment & s.stones[defending])) gaps.push_back(segment & ~s.stones[attacking]);
        std::vector<std::pair<int, int>> pairs;
        if (!pair_up(gaps, empty(s), pairs, budget)) return std::nullopt;
        return pairs;
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

    using Pairs = std::vector<std::pair<int, int>>;

    static bool pair_up(const std::vector<Bits>& gaps, Bits free, Pairs& pairs, int& budget) {
        if (gaps.empty()) return true;
        if (--budget < 0) return false;
        Bits tightest = 0;
        int fewest = 65;
        for (Bits gap : gaps)
            if (const int room = std::popcount(gap & free); room < fewest) fewest = room, tightest = gap & free;
        if (fewest < 2) return false;
        struct Choice {
            int served, a, b;
        };
        std::vector<Choice> choices;
        each(tightest, [&](int a) {
            each(tightest & ~(bit(a) | (bit(a) - 1)), [&](int b) {
                const Bits both = bit(a) | bit(b);
                const auto has_both = [both](Bits gap) { return (gap & both) == both; };
                choices.push_back({int(std::count_if(gaps.begin(), gaps.end(), has_both)), a, b});
            });
        });
        const auto serves_more = [](const Choice& x, const Choice& y) { return x.served > y.served; };
        std::stable_sort(choices.begin(), choices.end(), serves_more);
        for (const Choice& choice : choices) {
            const Bits both = bit(choice.a) | bit(choice.b);
            std::vector<Bits> rest;
            for (Bits gap : gaps)
                if ((gap & both) != both) rest.push_back(gap);
            pairs.emplace_back(choice.a, choice.b);
            if (pair_up(rest, free & ~both, pairs, budget)) return true;
            pairs.pop_back();
        }
        return false;
    }

    int k_, p_;
    bool defender_wins_;
    Bits board_ = 0;
    int bytes_ = 0;
    std::vector<Bits> segments_;
    std::vector<double> weight_, rise_;  // of a segment by what it lacks; of all danger by the attacker's next stones
    std::vector<Image> images_;
};

// Proof and disproof numbers by position; grows up to a limit, then forgets what cost least.
class Numbers {
public:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t proof = 0, disproof = 0;
        std::uint32_t size = 0;  // of the proof if there is one, else the work spent; 0 marks a free place
    };

    explicit Numbers(int most_bits) : most_bits_(std::max(most_bits, 12)), entries_(std::size_t(1) << 12) {}

    const Entry* find(std::uint64_t key) const {
        const Entry* const bucket = &entries_[place(key)];
        for (int i = 0; i < ways; ++i)
            if (bucket[i].size && bucket[i].key == key) return bucket + i;
        return nullptr;
    }

    void store(const Entry& entry) {
        Entry* const bucket = &entries_[place(entry.key)];
        Entry* worst = bucket;
        for (int i = 0; i < ways; ++i) {
            if (bucket[i].size && bucket[i].key == entry.key) {
                bucket[i] = entry;
                return;
            }
            if (bucket[i].size < worst->size) worst = bucket + i;
        }
        if (worst->size && std::size_t(1) << most_bits_ > entries_.size()) {
            grow();
            return store(entry);
        }
        *worst = entry;
    }

private:
    static constexpr int ways = 4;

    std::size_t place(std::uint64_t key) const {
        return std::size_t(key) & (entries_.size() - 1) & ~std::size_t(ways - 1);
    }

    void grow() {
        std::vector<Entry> old(entries_.size() * 2);
        old.swap(entries_);
        for (const Entry& entry : old)
            if (entry.size) store(entry);
    }

    int most_bits_;
    std::vector<Entry> entries_;
};

// Proof-number search, depth first (df-pn). A node's numbers are those of the weak variant: where all children count,
// the largest and one for each other. Sums would count what is reached along many ways many times.
class Search {
public:
    struct Child {
        int square;
        State state;
        std::uint64_t key;
        std::uint32_t proof, disproof, size;
    };

    Search(const Rules& rules, Meter& meter, int table_bits) : rules_(rules), meter_(meter), numbers_(table_bits) {}

    // Searches on for at most so many nodes; 0 means until it is known.
    Verdict ask(const State& s, std::uint64_t budget = 0) {
        const View view = rules_.view(s);
        if (view.verdict != Verdict::open) return view.verdict;
        pause_at_ = budget ? meter_.nodes() + budget : 0;
        const std::uint64_t key = rules_.key(s, view.live);
        const Numbers::Entry* entry = numbers_.find(key);
        if (!entry || (entry->proof && entry->disproof)) {
            expand(s, key, infinite, infinite);
            entry = numbers_.find(key);
        }
        if (!entry) return Verdict::open;
        return entry->proof == 0 ? Verdict::won : entry->disproof == 0 ? Verdict::held : Verdict::open;
    }

    // The next stone on the way to what is known of this position, with the smallest proof that the table remembers.
    int best(const State& s, Verdict known) {
        if (ask(s) != known) throw std::logic_error("a small game's proof does not stand");
        std::vector<Child> all;
        children(s, rules_.view(s), all);
        for (bool again : {false, true}) {
            const Child* best = nullptr;
            for (Child& child : all) {
                if (again && ask(child.state) == known) return child.square;  // the table forgot which it was
                const bool is_known = (known == Verdict::won ? child.proof : child.disproof) == 0;
                if (is_known && (!best || child.size < best->size)) best = &child;
            }
            if (best) return best->square;
        }
        throw std::logic_error("a small game's proof does not stand");
    }

private:
    static constexpr std::uint32_t infinite = 1u << 30;
    static constexpr std::uint32_t largest = 1u << 30;
    static constexpr int pairing_budget = 40;

    void children(const State& s, const View& view, std::vector<Child>& out) {
        out.clear();
        each(view.candidates, [&](int square) {
            Child child{square, rules_.after(s, square), 0, 1, 1, 1};
            const View look = rules_.view(child.state);
            if (look.verdict == Verdict::won) {
                child.proof = 0, child.disproof = infinite;
            } else if (look.verdict == Verdict::held) {
                child.proof = infinite, child.disproof = 0;
            } else {
                child.key = rules_.key(child.state, look.live);
                if (!refresh(child)) estimate(child, look);
            }
            out.push_back(child);
        });
    }

    bool refresh(Child& child) const {
        const Numbers::Entry* entry = numbers_.find(child.key);
        if (!entry) return false;
        child.proof = entry->proof, child.disproof = entry->disproof, child.size = entry->size;
        return true;
    }

    void estimate(Child& child, const View& look) {
        const bool pairs_help = rules_.p() == 1 && child.state.mover == attacking && child.state.left == 1;
        if (pairs_help && rules_.pairing(child.state, pairing_budget)) {
            child.proof = infinite, child.disproof = 0;
            numbers_.store({child.key, infinite, 0, 1});
            return;
        }
        // With many moves to choose from the mover is likely to find a good one.
        const auto moves = std::uint32_t(std::popcount(look.candidates));
        (child.state.mover == attacking ? child.disproof : child.proof) = moves;
    }

    // Searches below a position until its numbers reach the limits.
    void expand(const State& s, std::uint64_t key, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
        meter_.count();
        const std::uint64_t before = meter_.nodes();
        std::vector<Child> all;
        children(s, rules_.view(s), all);
        // For the side to move one good child is enough (`one`), against it all must be answered (`every`).
        const bool attackers = s.mover == attacking;
        const std::uint32_t one_limit = attackers ? proof_limit : disproof_limit;
        const std::uint32_t every_limit = attackers ? disproof_limit : proof_limit;
        while (true) {
            std::uint32_t one = infinite, second = infinite, every = 0, unknown = 0;
            std::uint64_t sum_of_sizes = 1;
            std::uint32_t least_size = largest;
            Child* next = nullptr;
            for (Child& child : all) {
                const std::uint32_t own = attackers ? child.proof : child.disproof;
                const std::uint32_t against = attackers ? child.disproof : child.proof;
                sum_of_sizes += child.size;
                if (own == 0) least_size = std::min(least_size, child.size);
                if (own < one || (own == one && next && against < (attackers ? next->disproof : next->proof))) {
                    second = one;
                    one = own;
                    next = &child;
                } else {
                    second = std::min(second, own);
                }
                every = std::max(every, against);
                unknown += against != 0;
            }
            if (every && every < infinite) every = std::min(infinite - 1, every + unknown - 1);
            std::uint64_t size = meter_.nodes() - before + 1;
            if (one == 0) every = infinite, size = std::uint64_t(least_size) + 1;
            if (every == 0) one = infinite, size = sum_of_sizes;
            const auto kept = std::uint32_t(std::min<std::uint64_t>(size, largest));
            numbers_.store(attackers ? Numbers::Entry{key, one, every, kept} : Numbers::Entry{key, every, one, kept});
            if (one >= one_limit || every >= every_limit || one == 0 || every == 0) return;
            if (pause_at_ && meter_.nodes() >= pause_at_) return;
            const std::uint32_t child_one = std::min(one_limit, std::min(infinite, second + second / 4 + 1));
            const std::uint32_t child_every = every_limit >= infinite ? infinite : every_limit - (unknown - 1);
            expand(next->state, next->key, attackers ? child_one : child_every, attackers ? child_every : child_one);
            // Other children may have been met on the way.
            for (Child& child : all)
                if (child.proof && child.disproof) refresh(child);
        }
    }

    const Rules& rules_;
    Meter& meter_;
    Numbers numbers_;
    std::uint64_t pause_at_ = 0;
};

}  // namespace tengen::small
