// Proofs of what the search of a small game found: an attacker's strategy against every reply, or a defender's against
// every move. They are graphs: positions that differ in dead stones alone, or in the order of moves, share their part.
#pragma once

#include <functional>
#include <set>
#include <unordered_map>

#include "small_breaker.hpp"
#include "small_search.hpp"

namespace tengen::small {

struct Strategy {
    struct Branch {
        Bits stones = 0;  // the other player's
        Bits reply = 0;   // in a hold, the defender's stones; in a win they are the answer's move
        int passes = 0;
        int child = -1;  // a node; -1 is a hold that needs no more stones
    };
    struct Node {
        Bits move = 0;
        std::vector<Branch> branches;
        std::vector<std::pair<int, int>> pairs;  // answers to everything, instead of branches
    };
    std::vector<Node> nodes;  // children before their parents
    int root = -1;
};

struct TooLarge {};  // thrown when a strategy has more branches than wanted

// Counts the branches of a strategy in the making.
class Room {
public:
    explicit Room(std::size_t most) : left_(most) {}
    void take() {
        if (left_-- == 0) throw TooLarge{};
    }

private:
    std::size_t left_;
};

struct Place {  // what a strategy depends on
    Live live;
    int left;
    int spare;  // how many dead squares are empty, if that matters
    Bits dead;  // which ones, if the strategy names one of them; else none, so that it is shared
    bool operator==(const Place&) const = default;
    struct Hash {
        std::size_t operator()(const Place& p) const {
            const std::uint64_t numbers = mix(p.dead ^ mix(std::uint64_t(p.left * 64 + p.spare)));
            return std::size_t(mix(p.live.attackers ^ mix(p.live.defenders ^ mix(p.live.empty ^ numbers))));
        }
    };
};

// What the makers of strategies share: whom they ask, and what they have made.
class Maker {
public:
    using NextStone = std::function<int(const State&)>;  // of whom the strategy is for, on the way to what is known

    Maker(const Rules& rules, NextStone best, Meter& meter, std::size_t most)
        : rules_(rules), best_(std::move(best)), meter_(meter), room_(most) {}

protected:
    // For one more branch.
    void spend() {
        meter_.count();
        room_.take();
    }

    int add(Strategy::Node&& node, Bits named) {
        strategy_.nodes.push_back(std::move(node));
        named_.push_back(named);
        return int(strategy_.nodes.size()) - 1;
    }

    // The node for a place, made with `make` unless there is one. `dead` are its empty squares where nobody can have a row.
    template <class Make>
    int node_at(const View& view, int left, int spare, Bits dead, Make make) {
        const Place shared{view.live, left, spare, 0}, own{view.live, left, spare, dead};
        for (const Place& place : {shared, own})
            if (const auto known = made_.find(place); known != made_.end()) return known->second;
        const int node = make();
        made_.emplace(named_[std::size_t(node)] & dead ? own : shared, node);
        return node;
    }

    const Rules& rules_;
    NextStone best_;
    Meter& meter_;
    Room room_;
    Strategy strategy_;
    std::vector<Bits> named_;  // by node: the squares that it and those below it speak of
    std::unordered_map<Place, int, Place::Hash> made_;
};

// How the attacker wins. Replies are answered as the relevance zones ask for: what the attacker would play if (some of)
// the defender's stones were passed, then the stones in the zone of that, and so on. Against a pass there always is a
// win if there is one against a stone.
class Winner : Maker {
public:
    using Maker::Maker;

    Strategy build(const State& s) {
        if (s.mover == attacking) {
            strategy_.root = attack(s);
        } else {
            Made made;
            defend(s, made);
            strategy_.root = add(std::move(made));
        }
        return std::move(strategy_);
    }

private:
    static constexpr int orders = 3;
    using Zone = std::array<Bits, orders>;  // all squares of the board stand for "everything"

    struct Made {
        Strategy::Node node;
        Zone zone{};
        Bits named = 0;  // squares that the strategy speaks of
        std::set<Bits> seen;
    };

    int add(Made&& made) {
        zones_.push_back(made.zone);
        return Maker::add(std::move(made.node), made.named);
    }

    int attack(const State& s) {
        const View view = rules_.view(s);
        return node_at(view, s.left, 0, rules_.empty(s) & ~view.live.empty, [&] {
            Made made;
            State after = s;
            if (const Bits gap = rules_.filling(s)) {
                made.node.move = gap;
                after.stones[attacking] |= gap;
                add_defender_segments(after, 0, made.zone);
            } else {
                while (after.mover == attacking) {
                    const int square = best_(after);
                    made.node.move |= bit(square);
                    after = rules_.after(after, square);
                }
                defend(after, made);
            }
            for (Bits& zone : made.zone) zone |= made.node.move;
            return add(std::move(made));
        });
    }

    // The defender is to move and cannot complete a row.
    void defend(const State& s, Made& made) {
        const std::vector<Bits> gaps = rules_.threats(s, attacking);
        const int stones = std::min(s.left, std::popcount(rules_.empty(s)));
        std::set<Bits> defences;
        critical(gaps, 0, stones, defences);
        for (Bits defence : defences) cover(s, defence, stones - std::popcount(defence), made);
        for (Bits gap : gaps)
            for (Bits& zone : made.zone) zone |= gap;
        // Without threats all this is in the zones of the answers already.
        if (!gaps.empty()) add_defender_segments(s, rules_.p(), made.zone);
    }

    void cover(const State& s, Bits placed, int left, Made& made) {
        if (!made.seen.insert(placed).second) return;
        spend();
        State answered = s;
        answered.stones[defending] |= placed;
        answered.mover = attacking;
        answered.left = rules_.p();
        const int child = attack(answered);
        const Zone zone = zones_[std::size_t(child)];
        const Bits empty = rules_.empty(answered);
        const Bits relevant = left == 0 ? 0 : left > orders ? empty : zone[std::size_t(left) - 1] & empty;
        if (left == 0 || relevant != empty) {  // a pass that leaves no square out saves nothing
            made.node.branches.push_back({placed, 0, left, child});
            made.named |= placed | named_[std::size_t(child)];
            for (int i = 0; i < orders; ++i)
                made.zone[std::size_t(i)] |= i + left < orders ? zone[std::size_t(i + left)] : rules_.board();
        }
        each(relevant, [&](int square) { cover(s, placed | bit(square), left - 1, made); });
    }

    // All sets of at most so many squares that hit every gap and from which none can be left out.
    static void critical(const std::vector<Bits>& gaps, Bits chosen, int left, std::set<Bits>& out) {
        const auto hits = [&gaps](Bits squares) {
            return std::all_of(gaps.begin(), gaps.end(), [squares](Bits gap) { return (gap & squares) != 0; });
        };
        if (hits(chosen)) {
            bool minimal = true;
            each(chosen, [&](int square) { minimal = minimal && !hits(chosen & ~bit(square)); });
            if (minimal) out.insert(chosen);
            return;
        }
        if (left == 0) return;
        const Bits open = *std::find_if(gaps.begin(), gaps.end(), [chosen](Bits gap) { return !(gap & chosen); });
        each(open, [&](int square) { critical(gaps, chosen | bit(square), left - 1, out); });
    }

    // Every segment open to the defender with u empty squares joins Z_i for all i >= max(1, u - head_start).
    void add_defender_segments(const State& s, int head_start, Zone& zone) const {
        if (!rules_.defender_wins()) return;
        for (Bits segment : rules_.segments()) {
            if (segment & s.stones[attacking]) continue;
            const Bits gap = segment & ~s.stones[defending];
            for (int order = std::max(1, std::popcount(gap) - head_start); order <= orders; ++order)
                zone[std::size_t(order) - 1] |= gap;
        }
    }

    std::vector<Zone> zones_;  // by node
};

// How the defender holds: a reply to every move of the attacker, until nothing is left to fill or pairs are enough.
class Holder : Maker {
public:
    using Maker::Maker;

    Strategy build(const State& s) {
        if (s.mover == attacking) {
            strategy_.root = hold(s);
        } else {
            Strategy::Node node;
            node.branches.push_back(answer(s, 0));
            strategy_.root = add(std::move(node));
        }
        return std::move(strategy_);
    }

private:
    int add(Strategy::Node&& node) {
        Bits named = 0;
        for (const auto& branch : node.branches)
            named |= branch.reply | (branch.child < 0 ? 0 : named_[std::size_t(branch.child)]);
        return Maker::add(std::move(node), named);
    }

    static constexpr int pairing_budget = 2000;  // more than the search can afford: each pairing saves a tree

    int hold(const State& s) {
        if (!rules_.is_open(s, attacking)) return -1;
        const View view = rules_.view(s);
        const Bits empty = rules_.empty(s), dead = empty & ~view.live.empty;
        const int stones = std::min(s.left, std::popcount(empty)), spare = std::popcount(dead);
        return node_at(view, stones, spare, dead, [&] {
            Strategy::Node node;
            auto pairs = rules_.p() == 1 && s.left == 1 ? rules_.pairing(s, pairing_budget) : std::nullopt;
            if (pairs) {
                node.pairs = std::move(*pairs);
                return add(std::move(node));
            }
            for (int alive = stones; alive >= std::max(0, stones - spare); --alive) {
                // Dead squares are as good as each other: the lowest stand for all.
                Bits wasted = 0;
                for (int i = 0; i < stones - alive; ++i) wasted |= lowest(dead & ~wasted);
                subsets(view.live.empty, alive, 0, [&](Bits chosen) {
                    State after = s;
                    after.stones[attacking] |= chosen | wasted;
                    after.mover = defending;
                    after.left = rules_.p();
                    node.branches.push_back(answer(after, chosen));
                });
            }
            return add(std::move(node));
        });
    }

    Strategy::Branch answer(State s, Bits attackers) {
        spend();
        Strategy::Branch branch{attackers, 0, 0, -1};
        const View view = rules_.view(s);
        const Bits empty = rules_.empty(s);
        const int stones = std::min(s.left, std::popcount(empty));
        const bool is_harmless = view.verdict == Verdict::held;  // then danger alone tells where to go
        branch.reply = rules_.filling(s);
        if (!branch.reply) {
            while (s.mover == defending && rules_.is_open(s, attacking)) {
                const int square = is_harmless ? rules_.most_dangerous(s) : best_(s);
                branch.reply |= bit(square);
                s = rules_.after(s, square);
            }
            branch.child = hold(s);
        }
        // A move has all its stones; dead squares come last, because a strategy that names none is shared more often.
        while (std::popcount(branch.reply) < stones) {
            const Bits live = view.live.empty & ~branch.reply;
            branch.reply |= lowest(live ? live : empty & ~branch.reply);
        }
        return branch;
    }

    template <class Visit>
    static void subsets(Bits from, int count, Bits chosen, const Visit& visit) {
        if (count == 0) return visit(chosen);
        for (; from; from &= from - 1) subsets(from & (from - 1), count - 1, chosen | lowest(from), visit);
    }
};

}  // namespace tengen::small
