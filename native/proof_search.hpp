// Proof-number search with relevance zones: wins of any order.
//
// A tree of positions is kept in memory. In an OR node the attacker is to move; it is won as soon as one of its moves is. In an
// AND node the defender is to move. He must meet the threats: each critical defence is a child, with r passes if it leaves r of
// his stones over. In a search of order i a child with r passes must be a win of order i - r (a null move has to lose to a
// simpler attack); once it is proved its zone tells which squares can matter for the stones left over, and each of them
// becomes a child in turn. An OR node is first searched for a win of order 1, within a budget: that is where the time goes. Where
// quiet moves are allowed it is then searched for a win by threats alone, by a proof search of its own.
//
// Several threads share the tree: each takes the most promising leaf that no other works on, and looks at it on its own board.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "attack_moves.hpp"
#include "team.hpp"

namespace tengen {

struct ProofSettings {
    int width = 12;                  // how many threatening moves an OR node tries; after two moves half as many,
                                     // after four a quarter, unless quiet moves are tried too
    int quiet_width = 16;            // and how many quiet ones, where the order allows them
    bool near_threats_only = true;   // whether stones that make no threat stand only where one or two more would make one
    int depth = 60;                  // attacking moves before the wins of order 1
    std::uint64_t leaf_nodes = 500;  // for the win of order 1 in each OR node
    std::uint64_t threat_nodes = 3000;  // for a search by threats alone, before quiet moves are tried
    std::size_t tree_nodes = std::size_t(1) << 24;  // in memory at once, about 2 GB on 19 x 19; the search ends there
    bool merge = false;  // whether wins of order 1 may answer all defences to a move at once

    // How many stones a segment must hold for a stone that makes no threat to stand on it.
    int built_on(int k, int p) const { return near_threats_only ? std::max(1, k - p - 2) : 1; }
};

template <class PositionType>
class ProofSearch {
public:
    using SolverType = Solver<PositionType>;
    using ZoneType = typename PositionType::ZoneType;
    using SquareSet = typename PositionType::SquareSet;
    using Index = std::uint32_t;
    enum class Outcome { win, none, unknown };

    // `make` makes a board with the position to search on it, one for each thread.
    template <class MakePosition>
    ProofSearch(MakePosition make, Table& table, Control& control, ProofSettings settings, Limits limits, int threads)
        : settings_(settings), control_(control), teller_(make(), table, control, settings, Limits{}, 0) {
        for (int number = 0; number < std::max(1, threads); ++number)
            workers_.push_back(std::make_unique<Worker>(make(), table, control, settings, limits, number));
    }

    // Has the attacker, with so many stones to place, a win of that order? Only moves given in `first` are tried, if any are.
    Outcome attack(int order, int stones, const Stones& first = Stones()) {
        first_ = first;
        is_patient_ = !has_quiet_moves(order);
        for (attempt_ = 0;; ++attempt_) {
            const Outcome outcome = run(order, stones);
            if (!is_impatient_ || outcome != Outcome::unknown) return outcome;
        }
    }

    // Walks a win once more, checking every move and reply of it on the board, and tells its strategy and zone.
    bool explain(Strategy& strategy, ZoneType& zone) {
        if (is_impatient_) is_impatient_ = stopped_ = false;  // another thread found the win after all
        is_patient_ = true;  // replies that are missing are searched whatever it takes
        return explain_attack(top, strategy, zone);
    }

    std::uint64_t nodes() const {
        std::uint64_t total = 0;
        for (const auto& worker : workers_) total += worker->solver.nodes();
        return total;
    }

    int depth() const { return deepest_; }

private:
    static constexpr Index top = 0, nobody = ~Index(0);
    static constexpr std::uint64_t no_budget = std::uint64_t(1) << 48;
    // Numbers of proof and disproof count in sixteenths, so that the many replies of a node can weigh less than one each.
    static constexpr std::uint32_t unit = 16, infinite = 1u << 30, busy = 1u << 28;
    static constexpr std::uint32_t replies_weigh = 5;  // a fifth: replies to a move often fall to the same attack
    static constexpr std::uint64_t top_leaf = 40;  // the root is worth that many times the nodes of another leaf
    // How long a search with quiet moves takes is a matter of luck: what takes minutes one way may take seconds another. So it
    // begins anew after so many leaves, with other first guesses, and then has twice as many.
    static constexpr std::uint64_t patience = 1000;
    static constexpr std::uint32_t single_threat = 4, quiet = 32;  // first guesses of how much harder these are to prove

    struct Node {
        Stones stones;  // that lead here
        Index parent = nobody, first_child = nobody, next = nobody, same_as = nobody;
        std::uint32_t pn = unit, dn = unit;
        std::uint16_t visitors = 0;  // threads that work below it
        std::uint8_t order = 0, passes = 0, depth = 0;
        bool is_or = true, expanded = false;
        std::unique_ptr<ZoneType> zone;  // once it is proved

        bool proved() const { return pn == 0; }
        bool disproved() const { return dn == 0; }
        bool decided() const { return proved() || disproved(); }
    };

    struct Worker {
        PositionType position;
        Table& table;
        SolverType solver;
        AttackMoves<PositionType> moves;

        Worker(PositionType&& start, Table& table, Control& control, const ProofSettings& settings, const Limits& limits, int number)
            : position(std::move(start)), table(table), solver(position, table, control, Method::traditional, limits, number), moves(position, solver) {
            solver.merge_defences(settings.merge);
        }
    };

    // What a thread found out about a leaf.
    struct Finding {
        bool won = false;
        ZoneType zone;
        std::vector<AttackMove> moves;
        std::vector<Stones> defences;
    };

    Outcome run(int order, int stones) {
        nodes_.clear();
        free_.clear();
        decided_.clear();
        stones_ = stones;
        nodes_.emplace_back();
        nodes_[top].order = std::uint8_t(order);
        stopped_ = false;
        is_impatient_ = false;
        leaves_ = 0;
        cut_ = false;
        deepest_ = 0;
        std::exception_ptr failure;
        const auto work = [&](Worker& worker) {
            try {
                search(worker, top);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!stopped_ || is_impatient_) failure = std::current_exception();
                stopped_ = true;
                wake_.notify_all();
            }
        };
        work_together(int(workers_.size()), [&] { work(*workers_[0]); }, [&](int number) { work(*workers_[std::size_t(number)]); });
        if (failure) std::rethrow_exception(failure);
        if (nodes_[top].proved()) return Outcome::win;
        return nodes_[top].disproved() && !cut_ && !stopped_ ? Outcome::none : Outcome::unknown;
    }

    // Until the node is decided.
    void search(Worker& worker, Index goal) {
        std::unique_lock lock(mutex_);
        while (!nodes_[goal].decided() && !stopped_) {
            if (nodes_.size() - free_.size() > settings_.tree_nodes) {
                stopped_ = true;
                break;
            }
            if (!is_patient_ && leaves_ >= patience << attempt_) {
                is_impatient_ = stopped_ = true;
                break;
            }
            const Index leaf = descend(worker, goal);
            if (leaf == nobody) {  // every open leaf has its worker
                wake_.wait(lock);
                continue;
            }
            const bool known = is_known(worker, leaf);
            if (!known) {
                if (workers_.size() > 1) mark_busy(leaf, goal);
                const Node& node = nodes_[leaf];
                const int order = node.order, depth = node.depth;
                const bool is_or = node.is_or;
                lock.unlock();
                Finding finding = is_or ? look_at_attack(worker, leaf, order, depth) : look_at_defence(worker);
                lock.lock();
                if (worker.solver.stopped()) stopped_ = true;
                ++leaves_;
                if (is_or) expand_attack(worker, leaf, finding); else expand_defence(worker, leaf, finding);
            }
            climb(worker, leaf, goal);
            wake_.notify_all();
        }
        wake_.notify_all();
    }

    // To the most promising leaf, placing stones on the way.
    Index descend(Worker& worker, Index from) {
        Index at = from;
        while (nodes_[at].expanded) {
            const Index child = best_child(at);
            if (child == nobody) {
                for (; at != from; at = nodes_[at].parent) take_back(worker, at);
                return nobody;
            }
            at = child;
            ++nodes_[at].visitors;
            for (Square s : nodes_[at].stones) worker.position.place(s, nodes_[at].is_or ? defender : attacker);
        }
        return at;
    }

    void take_back(Worker& worker, Index at) {
        --nodes_[at].visitors;
        for (Square s : nodes_[at].stones) worker.position.remove(s);
    }

    Index best_child(Index at) const {
        Index best = nobody;
        std::uint32_t least = busy;
        for (Index c = nodes_[at].first_child; c != nobody; c = nodes_[c].next) {
            const Node& child = nodes_[c];
            if (child.decided()) continue;
            const std::uint32_t number = nodes_[at].is_or ? child.pn : child.dn;
            if (number < least) least = number, best = c;
        }
        return best;
    }

    // Others look elsewhere meanwhile.
    void mark_busy(Index leaf, Index goal) {
        nodes_[leaf].pn = nodes_[leaf].dn = busy;
        for (Index at = leaf; at != goal;) {
            at = nodes_[at].parent;
            count(at);
        }
    }

    std::uint64_t key_of(const Worker& worker, Index at) const {
        const int depth = settings_.depth < ProofSettings().depth ? nodes_[at].depth : 0;  // where it matters
        return worker.position.key() ^ mix(std::uint64_t(nodes_[at].order) * 128 + std::uint64_t(depth));
    }

    // Another way to a position that is decided already.
    bool is_known(const Worker& worker, Index at) {
        if (!nodes_[at].is_or || at == top) return false;
        const auto known = decided_.find(key_of(worker, at));
        if (known == decided_.end()) return false;
        nodes_[at].expanded = true;
        if (known->second == nobody) {
            disprove(at);
        } else {
            nodes_[at].same_as = known->second;
            prove(at, *nodes_[known->second].zone);
        }
        return true;
    }

    // Where nothing but a win of order 1 is asked for, only the limits of the search end it.
    std::uint64_t budget_of(Index at, int order) const {
        return at != top ? settings_.leaf_nodes : order == 1 ? no_budget : settings_.leaf_nodes * top_leaf;
    }

    Finding look_at_attack(Worker& worker, Index at, int order, int depth) {
        Finding finding;
        const int stones = at == top ? stones_ : worker.position.p();
        if (at == top && first_.count > 0) {
            if (worker.solver.wins(1, first_, 1, &finding.zone)) finding.won = true;
            finding.moves.push_back({first_, 0, 1, 0});
            return finding;
        }
        finding.won = worker.solver.win_within(budget_of(at, order), stones, &finding.zone);
        if (at == top && order == 1 && !finding.won && worker.solver.cut()) cut_ = true;
        if (finding.won || order == 1 || worker.solver.stopped()) return finding;
        if (depth >= settings_.depth) {
            cut_ = true;
            return finding;
        }
        if (tries_threats_first(order) && win_by_threats(worker, stones, settings_.threat_nodes, finding.zone, nullptr)) {
            finding.won = true;
            return finding;
        }
        const int width = has_quiet_moves(order) ? settings_.width : std::max(1, settings_.width >> std::min(2, depth / 2));
        const int built_on = settings_.built_on(worker.position.k(), worker.position.p());
        worker.moves.choose(stones, worker.solver.least_threats(order), width, settings_.quiet_width, built_on, finding.moves);
        return finding;
    }

    bool has_quiet_moves(int order) const { return order > teller_.position.p(); }

    // With one stone a move, wins by threats alone are those of order 1.
    bool tries_threats_first(int order) const { return has_quiet_moves(order) && teller_.position.p() > 1; }

    // Whether the position on the worker's board is won by threats alone, in so many nodes.
    bool win_by_threats(Worker& worker, int stones, std::uint64_t nodes, ZoneType& zone, Strategy* strategy) {
        Control own;  // counts the nodes of this search alone
        own.poll = [this] { return control_.stop.load() || (control_.poll && control_.poll()); };
        Limits limits;
        limits.nodes = nodes;
        const auto make = [&worker] { return worker.position.copy(); };
        ProofSearch search(make, worker.table, own, settings_, limits, 1);
        const Outcome outcome = search.attack(worker.position.p(), stones);
        Strategy told;
        const bool ok = outcome == Outcome::win && search.explain(strategy ? *strategy : told, zone);
        if (own.stop.load()) control_.stop.store(true);
        worker.solver.add_nodes(search.nodes());
        return ok;
    }

    Finding look_at_defence(Worker& worker) {
        Finding finding;
        const PositionType& position = worker.position;
        const int stones = teller_.position.p();
        if (position.has_row(attacker)) {
            finding.won = true;
            add_defender_segments(position, finding.zone, 0);
        } else if (position.fillable(defender, stones) < 0) {
            const bool all = worker.solver.list_defences(finding.defences);
            if (!all) finding.defences.clear();  // the search is stopped: it is not proved
            finding.won = all && finding.defences.empty();
            if (finding.won) add_threat_zone(position, finding.zone);
        }
        return finding;
    }

    void expand_attack(const Worker& worker, Index at, const Finding& finding) {
        nodes_[at].expanded = true;
        if (finding.won) return prove(at, finding.zone);
        Index last = nobody;
        for (const AttackMove& move : finding.moves) {
            Node child;
            child.stones = move.stones;
            child.parent = at;
            child.order = nodes_[at].order;
            child.depth = std::uint8_t(nodes_[at].depth + 1);
            child.is_or = false;
            const std::uint32_t harder = move.threats >= teller_.position.p() ? 1 : move.threats > 0 ? single_threat : quiet;
            child.pn = unit * harder * std::uint32_t(std::max(1, move.defences));
            if (attempt_ > 0) child.pn = otherwise(worker, at, move.stones, child.pn);
            append(at, last, std::move(child));
        }
        deepest_ = std::max(deepest_, int(nodes_[at].depth) + 1);
        control_.depth.store(deepest_, std::memory_order_relaxed);
        count(at);
    }

    // Another first guess, from three quarters to nearly twice as much.
    std::uint32_t otherwise(const Worker& worker, Index at, const Stones& move, std::uint32_t guess) const {
        std::uint64_t number = key_of(worker, at) + std::uint64_t(attempt_);
        for (Square s : move) number ^= stone_key(s, 0, attacker);
        return guess * (12 + std::uint32_t(mix(number) % 20)) / 16;
    }

    void expand_defence(const Worker& worker, Index at, const Finding& finding) {
        nodes_[at].expanded = true;
        if (finding.won) return prove(at, finding.zone);
        const int stones = teller_.position.p(), order = nodes_[at].order;
        // Without a child the defender has a row in sight; a defence that leaves too many stones over is too slow an attack.
        if (finding.defences.empty()) return disprove(at);
        std::vector<std::pair<int, Stones>> ranked;
        for (const Stones& defence : finding.defences) {
            if (order - (stones - defence.count) < 1) return disprove(at);
            int value = 0;
            for (Square s : defence) value -= worker.position.defence_value(s);
            ranked.emplace_back(value, defence);
        }
        std::sort(ranked.begin(), ranked.end());
        Index last = nobody;
        for (const auto& [value, defence] : ranked) append(at, last, reply(at, defence, stones - defence.count));
        count(at);
    }

    Node reply(Index at, const Stones& stones, int passes) const {
        Node child;
        child.stones = stones;
        child.parent = at;
        child.order = std::uint8_t(nodes_[at].order - passes);
        child.depth = nodes_[at].depth;
        child.passes = std::uint8_t(passes);
        return child;
    }

    Index make_room() {
        if (free_.empty()) {
            nodes_.emplace_back();
            return Index(nodes_.size() - 1);
        }
        const Index index = free_.back();
        free_.pop_back();
        return index;
    }

    // What a decided node does not need any more makes room for others. A proved OR node stays, since others may refer to it.
    void forget_needless(Index at) {
        if (nodes_[at].is_or ? nodes_[at].proved() : nodes_[at].disproved()) {
            Index kept = nobody;
            for (Index c = nodes_[at].first_child, next; c != nobody; c = next) {
                next = nodes_[c].next;
                if (nodes_[at].is_or && nodes_[c].proved() && kept == nobody) kept = c; else forget(c);
            }
            nodes_[at].first_child = kept;
            if (kept != nobody) nodes_[kept].next = nobody;
        } else if (nodes_[at].is_or) {
            forget_children(at);
        }
    }

    void forget_children(Index at) {
        for (Index c = nodes_[at].first_child, next; c != nobody; c = next) {
            next = nodes_[c].next;
            forget(c);
        }
        nodes_[at].first_child = nobody;
    }

    void forget(Index at) {
        if (nodes_[at].visitors > 0 || (nodes_[at].is_or && nodes_[at].proved())) return;
        forget_children(at);
        nodes_[at] = Node();
        free_.push_back(at);
    }

    void append(Index parent, Index& last, Node&& child) {
        const Index index = make_room();
        nodes_[index] = std::move(child);
        if (last == nobody) nodes_[parent].first_child = index; else nodes_[last].next = index;
        last = index;
    }

    // Where stones that a proved reply left over can matter.
    SquareSet relevant(const PositionType& position, const Stones& stones, const ZoneType& zone, int passes) const {
        SquareSet squares = passes <= ZoneType::orders ? zone.z[std::size_t(passes) - 1] : position.empty();
        for (Square s : stones) squares.remove(s);
        SquareSet open;
        squares.each([&](Square s) {
            if (position.is_empty(s)) open.add(s);
        });
        return open;
    }

    // What the proof of a reply with passes asks for.
    void spawn(const Worker& worker, Index at, Index proved) {
        const int passes = nodes_[proved].passes;
        Index last = nobody;
        std::vector<Stones> have;
        for (Index c = nodes_[at].first_child; c != nobody; c = nodes_[c].next) {
            last = c;
            if (nodes_[c].passes == passes - 1) have.push_back(nodes_[c].stones);
        }
        std::sort(have.begin(), have.end());
        std::vector<std::pair<int, Square>> ranked;
        relevant(worker.position, nodes_[proved].stones, *nodes_[proved].zone, passes).each([&](Square s) {
            ranked.emplace_back(-worker.position.defence_value(s), s);
        });
        std::sort(ranked.begin(), ranked.end());
        for (const auto& [value, s] : ranked) {
            Stones stones = nodes_[proved].stones;
            stones.add(s);
            stones.sort();
            if (!std::binary_search(have.begin(), have.end(), stones)) append(at, last, reply(at, stones, passes - 1));
        }
    }

    void prove(Index at, const ZoneType& zone) {
        nodes_[at].pn = 0, nodes_[at].dn = infinite;
        nodes_[at].zone = std::make_unique<ZoneType>(zone);
    }

    void disprove(Index at) { nodes_[at].pn = infinite, nodes_[at].dn = 0; }

    // The numbers of a node from those of its children. Whoever makes them 0 by this must see to the zone.
    void count(Index at) {
        Node& node = nodes_[at];
        std::uint64_t least = infinite, most = 0, sum = 0;
        for (Index c = node.first_child; c != nobody; c = nodes_[c].next) {
            const std::uint64_t down = node.is_or ? nodes_[c].pn : nodes_[c].dn, up = node.is_or ? nodes_[c].dn : nodes_[c].pn;
            least = std::min(least, down);
            most = std::max(most, up);
            sum += up;
        }
        if (!node.is_or && sum > most) sum = most + std::max<std::uint64_t>(1, (sum - most) / replies_weigh);
        // However large the tree, only what is busy may look so: nobody would ever descend to the rest.
        sum = std::min<std::uint64_t>(sum, most < busy ? busy - 1 : infinite);
        if (least == 0) sum = infinite;
        (node.is_or ? node.pn : node.dn) = std::uint32_t(least);
        (node.is_or ? node.dn : node.pn) = std::uint32_t(sum);
    }

    // Back to where the search began, with what is new. The board is that of the node.
    void climb(Worker& worker, Index at, Index goal) {
        while (true) {
            if (nodes_[at].decided() && !stopped_) {
                if (nodes_[at].is_or && nodes_[at].same_as == nobody)
                    decided_.emplace(key_of(worker, at), nodes_[at].proved() ? at : nobody);
                forget_needless(at);
            }
            if (at == goal) break;
            const Index parent = nodes_[at].parent;
            take_back(worker, at);
            if (!nodes_[parent].decided()) {  // else another thread was quicker
                if (nodes_[at].is_or && nodes_[at].passes > 0 && nodes_[at].proved()) spawn(worker, parent, at);
                count(parent);
                if (nodes_[parent].proved()) prove(parent, zone_of(worker, parent));
            }
            at = parent;
        }
    }

    // Of a node whose children prove it.
    ZoneType zone_of(const Worker& worker, Index at) const {
        ZoneType zone;
        for (Index c = nodes_[at].first_child; c != nobody; c = nodes_[c].next) {
            const Node& child = nodes_[c];
            if (!child.proved()) continue;
            if (nodes_[at].is_or) {
                zone = *child.zone;
                for (Square s : child.stones) zone.add_to_all(s);
                break;
            }
            zone |= child.passes > 0 ? child.zone->promoted(child.passes, worker.position.empty()) : *child.zone;
        }
        if (!nodes_[at].is_or && worker.position.threatens(attacker)) add_threat_zone(worker.position, zone);
        return zone;
    }

    bool explain_attack(Index at, Strategy& strategy, ZoneType& zone) {
        if (nodes_[at].same_as != nobody) return explain_attack(nodes_[at].same_as, strategy, zone);
        if (control_.stop.load(std::memory_order_relaxed)) return false;
        Index proof = nobody;
        for (Index c = nodes_[at].first_child; c != nobody && proof == nobody; c = nodes_[c].next)
            if (nodes_[c].proved()) proof = c;
        if (proof == nobody) {
            if (at == top && first_.count > 0) return teller_.solver.wins(1, first_, 1, &zone, &strategy);
            // The way back may not run into a limit that the way there just missed.
            const int stones = at == top ? stones_ : teller_.position.p(), order = nodes_[at].order;
            const bool by_threats = tries_threats_first(order);
            if (teller_.solver.win_within(budget_of(at, order) * (by_threats ? 4 : 1000), stones, &zone, &strategy)) return true;
            return by_threats && win_by_threats(teller_, stones, settings_.threat_nodes * 1000, zone, &strategy);
        }
        for (Square s : nodes_[proof].stones)
            if (!teller_.position.is_empty(s)) return false;  // a clash of keys led to another position
        for (Square s : nodes_[proof].stones) teller_.position.place(s, attacker);
        const bool ok = explain_defence(proof, strategy, zone);
        for (Square s : nodes_[proof].stones) teller_.position.remove(s);
        strategy.move = nodes_[proof].stones;
        for (Square s : strategy.move) zone.add_to_all(s);
        return ok;
    }

    struct Replies {
        std::unordered_map<std::uint64_t, Index> known;
        std::unordered_set<std::uint64_t> told;
    };

    bool explain_defence(Index at, Strategy& strategy, ZoneType& zone) {
        const Finding finding = look_at_defence(teller_);
        zone = finding.zone;
        if (finding.won) return true;
        Replies replies;
        for (Index c = nodes_[at].first_child; c != nobody; c = nodes_[c].next) replies.known.emplace(key_of_reply(nodes_[c].stones), c);
        const int stones = teller_.position.p();
        for (const Stones& defence : finding.defences)
            if (!explain_reply(at, defence, stones - defence.count, replies, strategy, zone)) return false;
        if (teller_.position.threatens(attacker)) add_threat_zone(teller_.position, zone);
        return !finding.defences.empty();
    }

    static std::uint64_t key_of_reply(const Stones& stones) {
        std::uint64_t key = 0;
        for (Square s : stones) key ^= stone_key(s, 0, defender);
        return key;
    }

    // The zones of this walk need not be those of the search, since a win of order 1 may be found in another way: whatever they
    // ask for beyond what is known is searched here.
    bool explain_reply(Index at, const Stones& stones, int passes, Replies& replies, Strategy& strategy, ZoneType& zone) {
        const std::uint64_t key = key_of_reply(stones);
        if (!replies.told.insert(key).second) return true;  // the same stones in another order
        const auto [known, is_new] = replies.known.emplace(key, nobody);
        if (is_new) {
            known->second = make_room();
            nodes_[known->second] = reply(at, stones, passes);
        }
        const Index child = known->second;
        for (Square s : stones) teller_.position.place(s, defender);
        if (is_new) search(teller_, child);
        Strategy answer;
        ZoneType inner;
        bool ok = nodes_[child].proved() && explain_attack(child, answer, inner);
        for (Square s : stones) teller_.position.remove(s);
        if (!ok) return false;
        strategy.replies.push_back({stones, passes, std::make_unique<Strategy>(std::move(answer))});
        zone |= passes > 0 ? inner.promoted(passes, teller_.position.empty()) : inner;
        if (passes == 0) return true;
        relevant(teller_.position, stones, inner, passes).each([&](Square s) {
            if (!ok) return;
            Stones more = stones;
            more.add(s);
            more.sort();
            ok = explain_reply(at, more, passes - 1, replies, strategy, zone);
        });
        return ok;
    }

    ProofSettings settings_;
    Control& control_;
    Worker teller_;  // walks a win once more, without limits
    std::vector<std::unique_ptr<Worker>> workers_;
    Stones first_;
    int stones_ = 0;
    std::deque<Node> nodes_;
    std::vector<Index> free_;  // places in `nodes_` that nobody needs
    std::unordered_map<std::uint64_t, Index> decided_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopped_ = false;
    bool is_patient_ = true;
    bool is_impatient_ = false;  // stopped to begin anew
    int attempt_ = 0;
    std::uint64_t leaves_ = 0;  // of this attempt
    std::atomic<bool> cut_{false};  // whether the depth limit hid anything
    int deepest_ = 0;
};

}  // namespace tengen
