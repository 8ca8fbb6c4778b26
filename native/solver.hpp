// Is there a forced win by threats?
//
// Three functions take turns. `attack`: the attacker is to move and tries his threatening moves. `defend`: the defender must
// meet the threats; every critical defence is tried. `free_stones`: the defence needed fewer stones than the defender has;
// the rest may go anywhere, and the relevance zone of the win against no further stone tells where that can matter.
// With p threats a move nothing is left free (VCDT); with fewer, zones make "win" mean win against every free stone (VCST).
//
// Orders are those of lambda search: in a search of order i a move leaves at least p + 1 - i threats, so VCDT is order 1 and,
// where p is 2, VCST order 2. This search leaves nothing out: every move, every continuation, a depth in attacking moves. For
// order 1 that is the fastest there is; for higher orders it is complete and slow, and proof_search.hpp the practical one.
#pragma once

#include <chrono>

#include "control.hpp"
#include "pairs.hpp"
#include "table.hpp"
#include "zone_rules.hpp"

namespace tengen {

enum class Method { traditional, conservative, hybrid };

struct Limits {
    int depth = 60;  // attacking moves
    std::uint64_t nodes = 0;
    double seconds = 0;
};

// The attacker's strategy: his move, and an answer for every reply that must be answered.
struct Strategy {
    // A reply that stands for all defences made of its stones, more than the defender has: one answer beats them all at once.
    static constexpr int macro = -1;

    struct Reply {
        Stones stones;
        int passes = 0;  // stones that may stand anywhere not answered otherwise; or `macro`
        std::unique_ptr<Strategy> answer;
    };
    Stones move;
    std::vector<Reply> replies;

    // How many attacking moves the longest defence takes.
    int length() const {
        int longest = 0;
        for (const Reply& reply : replies) longest = std::max(longest, reply.answer->length());
        return 1 + longest;
    }
};

template <class PositionType>
class Solver {
public:
    using ZoneType = typename PositionType::ZoneType;
    using SquareSet = typename PositionType::SquareSet;

    // Solvers with other numbers try the moves in another order; `decided` tells that one of them knows the answer.
    Solver(PositionType& position, Table& table, Control& control, Method method, Limits limits, int number = 0,
           const std::atomic<bool>* decided = nullptr)
        : position_(position),
          table_(table),
          control_(control),
          method_(method),
          limits_(limits),
          number_(number),
          decided_(decided),
          start_(std::chrono::steady_clock::now()),
          polled_(start_),
          pairs_(position),
          salt_(mix(std::uint64_t(method))) {}

    enum class Outcome { win, none, unknown };

    // Deepens until there is a win, nothing is left to try, or a limit is reached. `depth` is the number of attacking moves:
    // of the shortest win of that order, or that were searched.
    Outcome run(int order, int stones, int& depth, const Stones& first = Stones()) {
        for (depth = 1; depth <= limits_.depth; ++depth) {
            control_.depth.store(depth, std::memory_order_relaxed);
            cut_ = false;
            if (first.count > 0 ? wins(order, first, depth) : attack(order, depth, stones, nullptr, nullptr, nullptr, nullptr))
                return Outcome::win;
            if (stopped_) break;
            if (!cut_) return Outcome::none;
        }
        --depth;
        return Outcome::unknown;
    }

    // Walks a win found before once more, now with its strategy and, if asked for, its zone.
    bool explain(int order, int stones, int depth, const Stones& first, Strategy& strategy, ZoneType* zone) {
        if (first.count > 0) return wins(order, first, depth, zone, &strategy);
        return attack(order, depth, stones, nullptr, zone, &strategy, nullptr);
    }

    // Whether one given first move wins within `depth` attacking moves, itself included.
    bool wins(int order, const Stones& move, int depth, ZoneType* zone = nullptr, Strategy* strategy = nullptr) {
        for (Square s : move) position_.place(s, attacker);
        const bool row = position_.has_row(attacker);
        for (Square s : move) position_.remove(s);
        if (row && strategy) strategy->move = move;
        if (row && zone) *zone = zone_of_row(position_, move);
        return row || try_move(order, move, depth, zone, strategy);
    }

    // A win of order 1 by deepening, within a budget of nodes: what proof search asks for again and again. Zones cost more than
    // the search and most branches come to nothing, so only the win that was found is walked again for its zone.
    bool win_within(std::uint64_t budget, int stones, ZoneType* zone, Strategy* strategy = nullptr) {
        pause_at_ = nodes_ + budget;
        int depth = 1;
        bool ok = false;
        for (; depth <= budget_depth && !paused_ && !stopped_; ++depth) {
            cut_ = false;
            ok = attack(1, depth, stones, nullptr, nullptr, nullptr, nullptr);
            if (ok || !cut_) break;
        }
        pause_at_ = 0;
        paused_ = false;
        return ok && (!zone || attack(1, depth, stones, nullptr, zone, strategy, nullptr));
    }

    // In strategies and zones, let one answer meet all defences to a move where it can: fewer positions, but larger zones, since
    // the defender has more stones in them than he could place.
    void merge_defences(bool merge) { merges_ = merge; }

    int least_threats(int order) const { return std::max(0, position_.p() + 1 - order); }

    // All moves of so many stones that meet the defender's threats and leave at least `least` of the attacker's. A stone that is
    // not needed for them may stand on any of the squares that `free` returns; tells whether there was such a stone.
    template <class FreeSquares>
    bool list_moves(int stones, int least, FreeSquares free, std::vector<Candidate>& out) {
        if (is_pair_case(stones) && least >= 1 && least <= 2) return pairs_.moves(least, free, out);
        out.clear();
        Stones chosen;
        freedom_ = false;
        extend(chosen, stones, least, free(), out);
        std::sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.move < b.move; });
        out.erase(std::unique(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.move == b.move; }),
                  out.end());
        std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
        return freedom_;
    }

    // All moves that a search of that depth tries.
    void moves(int stones, int least, int depth, std::vector<Candidate>& out) {
        const bool freedom = list_moves(stones, least, [&] { return free_squares(depth); }, out);
        cut_ |= freedom && leaves_free_squares_out(depth);
    }

    // What the attacker threatens on the board; 0 if the search is stopped meanwhile.
    int threats() {
        return threat_number(position_, [this] { return is_over(); });
    }
    // Every critical defence against it; false if the search is stopped meanwhile.
    bool list_defences(std::vector<Stones>& out) {
        return critical_defences(position_, position_.p(), out, [this] { return is_over(); });
    }

    // A look at the clock and the caller, for those whose nodes take long.
    bool is_over() {
        check_limits(0);
        return stopped_;
    }

    std::uint64_t nodes() const { return nodes_; }
    // Of another search that was made for this one.
    void add_nodes(std::uint64_t nodes) {
        nodes_ += nodes;
        check_limits(nodes);
    }
    bool stopped() const { return stopped_; }
    bool cut() const { return cut_; }
    void clear_cut() { cut_ = false; }

private:
    bool attack(int order, int depth, int stones, const Stones* hint, ZoneType* zone, Strategy* strategy, Stones* found) {
        if (!count_node()) return false;
        if (const int segment = position_.fillable(attacker, stones); segment >= 0) {
            finish(segment, zone, strategy, found);
            return true;
        }
        const std::uint64_t key = key_of(order, stones);
        Table::Entry entry;
        const bool known = table_.find(key, entry);
        if (known) {
            if (entry.failed >= depth) {
                cut_ |= entry.failed != Table::exhausted;
                return false;
            }
            if (entry.won != Table::never && entry.won <= depth && !zone && !strategy && !found) return true;
        }
        const bool outer_cut = cut_;
        cut_ = false;
        const auto won = [&](const Stones& move, int within) {
            cut_ = outer_cut;
            entry.won = entry.won == Table::never ? within : std::min(entry.won, within);
            entry.move = move;
            table_.store(key, entry);
            if (found) *found = move;
            return true;
        };

        // The table may know another position by this key: a move that does not fit here must not be placed.
        if (known && entry.won != Table::never && entry.won <= depth && entry.move.count > 0 && is_playable(entry.move, stones) &&
            try_move(order, entry.move, depth, zone, strategy))
            return won(entry.move, depth);
        if (hint && is_playable(*hint, stones) && try_move(order, *hint, depth, zone, strategy)) return won(*hint, depth);
        Stones decisive;
        if (find_decisive(stones, decisive)) {
            const bool ok = try_move(order, decisive, 1, zone, strategy);
            if (ok) return won(decisive, 1);
        }
        if (depth == 1) {
            // Where a brother was cut already, it is not worth finding out whether this one was.
            cut_ = outer_cut || has_move(order, stones);
        } else {
            Stones answer;
            if (order > 1 && attack(order - 1, depth, stones, nullptr, zone, strategy, &answer)) return won(answer, depth);
            Stones& killer = killers_[place_of(order, depth)];
            if (killer.count == stones && is_playable(killer, stones) && try_move(order, killer, depth, zone, strategy))
                return won(Stones(killer), depth);
            std::vector<Candidate>& candidates = candidates_[place_of(order, depth)];
            moves(stones, least_threats(order), depth, candidates);
            if (number_ > 0 && candidates.size() > 2)
                std::rotate(candidates.begin(), candidates.begin() + std::ptrdiff_t(std::size_t(number_) * 7 % candidates.size()),
                            candidates.end());
            for (const Candidate& candidate : candidates) {
                if (stopped_ || paused_) break;
                if (try_move(order, candidate.move, depth, zone, strategy)) {
                    killers_[place_of(order, depth)] = candidate.move;
                    return won(candidate.move, depth);
                }
            }
        }
        if (!stopped_ && !paused_) {
            entry.failed = cut_ ? std::max(entry.failed, depth) : Table::exhausted;
            table_.store(key, entry);
        }
        cut_ |= outer_cut;
        return false;
    }

    bool try_move(int order, const Stones& move, int depth, ZoneType* zone, Strategy* strategy) {
        for (Square s : move) position_.place(s, attacker);
        ZoneType inner;
        Strategy answer;
        const bool ok = !position_.threatens(defender) && defend(order, depth, zone ? &inner : nullptr, strategy ? &answer : nullptr);
        for (Square s : move) position_.remove(s);
        if (!ok) return false;
        if (zone) {
            for (Square s : move) inner.add_to_all(s);
            *zone = inner;
        }
        if (strategy) {
            answer.move = move;
            *strategy = std::move(answer);
        }
        return true;
    }

    // The attacker has just moved; all the defender's threats are met.
    bool defend(int order, int depth, ZoneType* zone, Strategy* strategy) {
        const int p = position_.p();
        const int number = threats();
        if (number <= p) {
            if (number < least_threats(order)) return false;
            if (depth <= 1 || (depth == 2 && !can_decide_next())) {
                cut_ = true;
                return false;
            }
            std::vector<Stones>& defences = defences_[place_of(order, depth)];
            if (!list_defences(defences)) return false;
            if (method_ != Method::conservative && (is_known_to_hold(order, defences, depth - 1) || (depth == 2 && leaves_nothing(defences)))) return false;
            put_best_first(defences);
            const Stones& killer = killer_defences_[place_of(order, depth)];
            if (const auto known = std::find(defences.begin(), defences.end(), killer); known != defences.end())
                std::rotate(defences.begin(), known, known + 1);
            bool all_met = false;
            const bool merge = zone || strategy ? merges_ : method_ != Method::traditional;
            if (merge && number == p && defences.size() > 1) {
                all_met = beats_all_at_once(order, defences, depth, zone, strategy);
                if (!all_met && method_ == Method::conservative) return false;
            }
            if (!all_met)
                for (const Stones& defence : defences) {
                    for (Square s : defence) position_.place(s, defender);
                    const bool ok = free_stones(order, p - defence.count, defence, depth - 1, nullptr, zone, strategy);
                    for (Square s : defence) position_.remove(s);
                    if (!ok) {
                        killer_defences_[place_of(order, depth)] = defence;
                        return false;
                    }
                }
        }
        if (zone) add_threat_zone(position_, *zone);
        return true;
    }

    // Defences share their squares, so each square is judged once.
    void put_best_first(std::vector<Stones>& defences) {
        if (defences.size() < 2) return;
        values_.clear();
        const auto value_of = [this](Square s) {
            for (const auto& [square, value] : values_)
                if (square == s) return value;
            values_.emplace_back(s, position_.defence_value(s));
            return values_.back().second;
        };
        ranked_.clear();
        for (const Stones& defence : defences) {
            int value = 0;
            for (Square s : defence) value -= value_of(s);
            ranked_.emplace_back(value, defence);
        }
        std::sort(ranked_.begin(), ranked_.end());
        for (std::size_t i = 0; i < ranked_.size(); ++i) defences[i] = ranked_[i].second;
    }

    // Whether the table knows a defence that leaves no win within so many moves: worth a look before any is searched.
    bool is_known_to_hold(int order, const std::vector<Stones>& defences, int depth) {
        Table::Entry entry;
        for (const Stones& defence : defences) {
            if (defence.count < position_.p()) continue;
            std::uint64_t key = key_of(order, position_.p());
            for (Square s : defence) key ^= stone_key(s, 0, defender);
            if (!table_.find(key, entry) || entry.failed < depth) continue;
            cut_ |= entry.failed != Table::exhausted;
            return true;
        }
        return false;
    }

    std::uint64_t key_of(int order, int stones) const {
        return position_.key() ^ salt_ ^ mix(std::uint64_t(order) * 64 + std::uint64_t(stones));
    }

    // Whether the attacker could make more than p threats with his next move: where p is 2, one of its stones must make a threat
    // alone. What stands in threats now the defender is about to block.
    bool can_decide_next() const {
        return position_.p() != 2 || position_.k() <= 4 || !position_.open(attacker, position_.k() - 3).empty();
    }

    // Whether some defence leaves too little for more than p threats with the next move, which is the last: seen from the segments
    // alone, before a stone is placed.
    bool leaves_nothing(const std::vector<Stones>& defences) {
        if (position_.p() != 2 || position_.k() < 6) return false;
        const bool holds = std::any_of(defences.begin(), defences.end(), [this](const Stones& defence) { return !position_.has_lines_for_three(defence); });
        cut_ |= holds;
        return holds;
    }

    // The defender stands on all defending squares at once. If the attacker wins even so, he wins against each defence.
    bool beats_all_at_once(int order, const std::vector<Stones>& defences, int depth, ZoneType* zone, Strategy* strategy) {
        SquareSet squares;
        for (const Stones& defence : defences)
            for (Square s : defence) squares.add(s);
        if (strategy && squares.count() > Stones::most) return false;
        squares.each([this](Square s) { position_.place(s, defender); });
        Strategy answer;
        const bool ok = !position_.has_row(defender) &&
                        attack(order, depth - 1, position_.p(), nullptr, zone, strategy ? &answer : nullptr, nullptr);
        squares.each([this](Square s) { position_.remove(s); });
        if (ok && strategy) {
            Stones stones;
            squares.each([&stones](Square s) { stones.add(s); });
            strategy->replies.push_back({stones, Strategy::macro, std::make_unique<Strategy>(std::move(answer))});
        }
        return ok;
    }

    // The defender has placed `placed` and may put `left` more stones anywhere.
    bool free_stones(int order, int left, const Stones& placed, int depth, const Stones* hint, ZoneType* zone, Strategy* strategy) {
        ZoneType against_none;
        Stones answer;
        Strategy continuation;
        const bool zoned = zone || left > 0;
        if (!attack(order, depth, position_.p(), hint, zoned ? &against_none : nullptr, strategy ? &continuation : nullptr,
                    left > 0 ? &answer : nullptr))
            return false;
        if (strategy) {
            strategy->replies.push_back({placed, left, std::make_unique<Strategy>(std::move(continuation))});
        }
        if (zone) *zone |= left > 0 ? against_none.promoted(left, position_.empty()) : against_none;
        if (left == 0) return true;
        const SquareSet relevant = left <= ZoneType::orders ? against_none.z[std::size_t(left) - 1] : position_.empty();
        bool ok = true;
        relevant.each([&](Square s) {
            if (!ok || !position_.is_empty(s)) return;
            position_.place(s, defender);
            Stones more = placed;
            more.add(s);
            ok = free_stones(order, left - 1, more, depth, &answer, zone, strategy);
            position_.remove(s);
        });
        return ok;
    }

    void finish(int segment, ZoneType* zone, Strategy* strategy, Stones* found) {
        Stones move;
        position_.each_empty(segment, [&move](Square s) { move.add(s); });
        if (found) *found = move;
        if (strategy) strategy->move = move;
        if (zone) *zone = zone_of_row(position_, move);
    }

    // The fast case: two stones each, and no threat of the defender to meet.
    bool is_pair_case(int stones) const {
        return stones == 2 && position_.p() == 2 && position_.k() > 4 && !position_.threatens(defender);
    }

    // A move that leaves more threats than the defender has stones.
    bool find_decisive(int stones, Stones& move) {
        if (is_pair_case(stones)) return pairs_.decisive(move);
        std::vector<Candidate> candidates;
        moves(stones, position_.p() + 1, 3, candidates);
        if (candidates.empty()) return false;
        move = candidates.front().move;
        return true;
    }

    // Whether a stone that makes no threat now may matter elsewhere if there were more moves to come.
    bool leaves_free_squares_out(int depth) const {
        return depth <= 2 && position_.k() > 2 * position_.p();
    }

    // Where a stone that makes no threat now may stand: anywhere; with one more move to come only where that move can use it, or
    // where the defender's next stones could make a threat.
    SquareSet free_squares(int depth) {
        const int k = position_.k(), p = position_.p();
        if (!leaves_free_squares_out(depth)) return position_.empty();
        SquareSet squares = position_.squares_on_open(attacker, 1);
        squares |= position_.squares_on_open(defender, k - 2 * p);
        return squares;
    }

    // Adds stones to `chosen` until there are enough. Complete, because the stones of any wanted move can be ordered so that
    // the defender's threats are met first, then come those that stand in the attacker's threats at the end (so many stones
    // before its turn, their segment lacks no more than there are left), and then the free ones, when there are threats enough.
    void extend(Stones& chosen, int left, int least, const SquareSet& free, std::vector<Candidate>& out) {
        // With many stones a move, listing the moves alone takes long: it counts as nodes, so that budgets of them hold.
        if (++work_ % work_of_a_node == 0 && position_.p() > 2) count_node();
        if (work_ % 256 == 0) check_limits(0);
        if (stopped_ || paused_) return;
        const int k = position_.k(), p = position_.p();
        const int unmet = position_.fillable(defender, p);
        if (left == 0) {
            if (unmet >= 0) return;
            const int number = threats();
            if (number < least || stopped_) return;
            Stones move = chosen;
            move.sort();
            out.push_back({move, number, score(number)});
            return;
        }
        SquareSet squares;
        if (unmet >= 0) {
            position_.each_empty(unmet, [&squares](Square s) { squares.add(s); });
        } else {
            squares = k - p - left <= 0 ? position_.empty() : position_.squares_on_open(attacker, k - p - left);
            if (chosen.count > 0 && threats() >= least) {
                squares |= free;
                freedom_ = true;
            }
        }
        squares.each([&](Square s) {
            if (!position_.is_empty(s)) return;
            position_.place(s, attacker);
            chosen.add(s);
            extend(chosen, left - 1, least, free, out);
            --chosen.count;
            position_.remove(s);
        });
    }

    // What a move leaves behind: threats, then segments that can become some.
    int score(int threats) const {
        const int near = position_.k() - position_.p() - 1;
        int value = threats * 64;
        if (near >= 1) value += 4 * int(position_.open(attacker, near).size());
        if (near >= 2) value += int(position_.open(attacker, near - 1).size());
        return value;
    }

    bool has_move(int order, int stones) {
        if (is_pair_case(stones)) return pairs_.any(least_threats(order));
        std::vector<Candidate> candidates;
        moves(stones, least_threats(order), 3, candidates);
        return !candidates.empty();
    }

    bool is_playable(const Stones& move, int stones) const {
        return move.count <= stones && std::all_of(move.begin(), move.end(), [this](Square s) { return position_.is_empty(s); });
    }

    // Depths fall along every line of the search within an order, and orders are not entered again, so one place each is enough.
    static std::size_t place_of(int order, int depth) { return std::size_t(std::min(order, max_order) * (max_depth + 1) + depth); }

    bool count_node() {
        if (stopped_ || paused_) return false;
        ++nodes_;
        if (pause_at_ && nodes_ >= pause_at_) paused_ = true;
        if (limits_.nodes && nodes_ > limits_.nodes) stopped_ = true;
        if ((nodes_ & 255) == 0) check_limits(256);
        return !stopped_ && !paused_;
    }

    void check_limits(std::uint64_t new_nodes) {
        const auto now = std::chrono::steady_clock::now();
        const std::uint64_t all = control_.nodes.fetch_add(new_nodes, std::memory_order_relaxed) + new_nodes;
        if (number_ == 0 && control_.poll && now - polled_ > std::chrono::milliseconds(50)) {
            polled_ = now;
            if (control_.poll()) control_.stop.store(true);
        }
        if (control_.stop.load(std::memory_order_relaxed) || (decided_ && decided_->load(std::memory_order_relaxed)) ||
            (limits_.nodes && all >= limits_.nodes) ||
            (limits_.seconds > 0 && std::chrono::duration<double>(now - start_).count() > limits_.seconds))
            stopped_ = true;
    }

    static constexpr int max_order = 3, max_depth = 60;
    static constexpr int budget_depth = 12;
    static constexpr std::uint64_t work_of_a_node = 16;

    PositionType& position_;
    Table& table_;
    Control& control_;
    Method method_;
    Limits limits_;
    int number_;
    const std::atomic<bool>* decided_;
    std::chrono::steady_clock::time_point start_, polled_;
    PairGenerator<PositionType> pairs_;
    std::uint64_t salt_;
    std::uint64_t nodes_ = 0, work_ = 0;
    bool stopped_ = false;
    bool merges_ = false;
    bool freedom_ = false;  // whether the moves last listed had a stone that was not needed for their threats
    bool cut_ = false;  // whether the depth limit hid anything since this was last cleared
    std::uint64_t pause_at_ = 0;  // where a search with a budget runs out of it; 0 if it has none
    bool paused_ = false;
    static constexpr std::size_t places = (max_order + 1) * (max_depth + 1);
    std::vector<std::vector<Candidate>> candidates_ = std::vector<std::vector<Candidate>>(places);
    std::vector<Stones> killers_ = std::vector<Stones>(places), killer_defences_ = killers_;
    std::vector<std::vector<Stones>> defences_ = std::vector<std::vector<Stones>>(places);
    std::vector<std::pair<int, Stones>> ranked_;
    std::vector<std::pair<Square, int>> values_;
};

}  // namespace tengen
