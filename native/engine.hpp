// What is a good move? Alpha-beta over whole moves, deepening step by step, with the threat solver at every position.
//
// At each position: can the side to move win by threats? Then the search is done. Could the other side, if it were his turn? Then
// only moves that touch the zone of that win need a look.
//
// Several threads search the same position and share a table; they help each other by what they store there.
#pragma once

#include <map>
#include <set>

#include "engine_moves.hpp"
#include "engine_table.hpp"
#include "proof_search.hpp"
#include "symmetries.hpp"

namespace tengen {

struct EngineSettings {
    int root_width = 48, width = 14;     // moves that are tried at the root, and below,
    int root_attacks = 16, attacks = 12;  // and so many that build most, if those above do not hold them
    int attacks_from = 5;                // steps of less depth do without them, and are the quicker for it
    int answers = 1;                     // to threats on the last move: more cost much and change little
    int points = 14, partners = 9;       // squares for the first stone of a move, and for each further one
    double cutoff = 4;                   // with a policy: squares are skipped whose log-probability is so much below that of the best
    int zone_points = 24;                // for the first, where a win of the opponent must be stopped
    std::uint64_t root_threats = 20000;  // nodes for a win by double threats at the root,
    std::uint64_t threats = 2000;        // and below it
    std::uint64_t null_threats = 250;    // for the opponent's, if the side to move passed
    std::uint64_t single_threats = 20000;  // for a win with single threats: own at the root, the opponent's after the move chosen,
    std::uint64_t long_single_threats = 60000;  // the same where the search is to be long,
    std::uint64_t single_share = 3;        // where a long search has gone before, so many times its nodes
    int breadth = 2;      // where all moves that were tried lose, how many times more squares to look at before that is believed
    int bad_sign = 1500;  // what it costs, below the evaluation, if all moves that were tried lose
    int wide_depth = 3;   // how deep a move's answers are searched as broadly as the root before it is thought best
    int free_threats = 1;  // so many times in a line, threats that leave no stone free and the answer to them cost no depth
    int reduce_from = 4;  // moves after so many are searched less deep at first

    Breadth breadth_of(int moves, bool has_zone, int building = 0) const {
        return has_zone ? Breadth{moves * 3 / 2, zone_points, partners, building, cutoff} : Breadth{moves, points, partners, building, cutoff};
    }

    Breadth root_breadth(bool has_zone) const {
        Breadth breadth = breadth_of(root_width, has_zone, root_attacks);
        breadth.partners *= 2;
        breadth.cutoff = 2 * cutoff;
        if (!has_zone) breadth.points *= 2;
        return breadth;
    }
};

struct EngineLimits {
    int depth = 60;
    std::uint64_t nodes = 0;
    double soft_seconds = 0;  // no new step after that
    double hard_seconds = 0;  // stop at once
};

// What searches remember of positions; it stays true as long as board and rules are the same.
struct EngineMemory {
    EngineTable table;
    std::array<Table, 2> solved;

    EngineMemory(int table_bits, int threads) : table(table_bits), solved{Table(table_bits, threads > 1), Table(table_bits, threads > 1)} {}
};

template <class PositionType>
class Engine {
public:
    using ZoneType = typename PositionType::ZoneType;
    // Scores within `far` of `win` are certain: found by the solver, or against every reply. All others stay within `highest`.
    static constexpr int win = 1'000'000, far = 1000, infinite = win + 1, highest = 400'000;

    struct Line {
        Stones move;
        int score = -infinite;
        int depth = 0;
        bool by_threats = false;   // the solver found the win
        bool is_refuted = false;   // the opponent wins by single threats after it
        std::vector<Stones> moves;  // what is expected to follow, itself first
    };

    // What the threads share.
    struct Shared {
        EngineTable& table;
        std::array<Table, 2>& solved;
        Control& control;
        std::atomic<std::uint64_t> nodes{0};
        std::atomic<bool> is_over{false};  // whether anybody still waits for the answer
        std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

        Shared(Control& control, EngineMemory& memory) : table(memory.table), solved(memory.solved), control(control) {}
    };

    Engine(Shared& shared, EngineBoard<PositionType>&& board, EngineSettings settings, EngineLimits limits, int number = 0)
        : shared_(shared),
          board_(std::move(board)),
          settings_(settings),
          limits_(limits),
          number_(number),
          moves_(board_, [this] { return is_called_off(); }),
          solvers_{solver_of(black), solver_of(white)} {}

    // The best moves, best first, and of those that equal each other by a symmetry of the position one. `tell` hears of every step that
    // is finished.
    template <class Tell>
    std::vector<Line> think(int side, int stones, int lines, const std::vector<Stones>& prohibited, Tell tell) {
        side_ = side;
        stones_ = stones;
        left_out_ = prohibited;
        symmetries_ = symmetries_of(board_.of(black));
        std::vector<Line> won;
        if (Line line; win_by_threats(line)) {
            listed_.insert(canonical(line.move));
            won.push_back(std::move(line));
        }
        wanted_ = std::max(1, lines) - int(won.size());
        if (wanted_ == 0) return won;
        list_root_moves();
        while (root_.empty() && widen()) {
        }
        if (root_.empty()) return won;
        const auto found = [&] {
            put_losing_moves_last();
            if (root_[0].score == -infinite) root_[0].score = look_of(root_[0].move);
            std::vector<Line> all = won;
            for (const Line& line : root_) {
                all.push_back(line);
                if (int(all.size()) <= lines) continue_by_table(all.back());
                // That these moves lose does not mean that all do.
                if (!is_complete_ && line.score != -infinite) all.back().score = std::max(line.score, -highest);
            }
            return all;
        };
        std::vector<Line> last_step;
        for (int depth = 1; depth <= limits_.depth && !is_stopped(); ++depth) {
            if (depth > 1 && limits_.soft_seconds > 0 && elapsed() > limits_.soft_seconds * soft_share()) break;
            depth_ = depth;
            shared_.control.depth.store(depth, std::memory_order_relaxed);
            bool finished = step();
            while (!is_stopped() && is_lost(root_[0].score) && widen()) finished = step();
            if (!finished) {  // scores of different depths do not compare: several lines are those of the last whole step
                if (wanted_ > 1 && !last_step.empty()) root_ = last_step;
                break;
            }
            last_step = root_;
            tell(found());
            if (is_settled()) break;
            if (Line line; number_ == 0 && won.empty() && look_again_for_a_win(line)) {
                std::erase_if(root_, [&](const Line& other) { return canonical(other.move) == canonical(line.move); });
                won.push_back(std::move(line));
                return root_.empty() ? won : found();
            }
        }
        if (number_ == 0 && won.empty()) find_safe_move();
        return found();
    }

    // The moves that it tries in the middle of a search, the most promising first.
    std::vector<Option> candidates(int side, int stones) {
        std::vector<Option> options;
        const std::optional<ZoneType> zone = null_zone(side, settings_.null_threats);
        moves_.list(side, stones, settings_.breadth_of(settings_.width, zone.has_value()), zone, options);
        return options;
    }

private:
    using SolverType = Solver<PositionType>;
    static constexpr int max_ply = 64, extensions = 6, widest = 4;
    static constexpr int reduced_by = 2;  // whoever is to move looks better off: only scores of equal parity compare
    static constexpr std::uint64_t safe_searches = 10;  // for a move that leaves nothing open, as many times `root_threats` at most
    static constexpr std::uint64_t nodes_of_a_solver = 32;  // as many of its nodes cost as much time as one of ours
    static constexpr double single_nodes_a_node = 8;  // a look for single threats has so many at first for each node planned
    static constexpr double max_single_share = 0.3;  // of the nodes of a search, for the first look for single threats
    static constexpr int narrow_width = 12, wide_width = 32;  // moves that a look for single threats tries
    static constexpr double nodes_a_second = 9000;  // of one core, to tell a short search from a long one
    static constexpr double search_share = 0.85;  // of the time; the rest is for a last look at the move that was found

    SolverType solver_of(int side) {
        Limits limits;
        limits.seconds = limits_.hard_seconds;
        return SolverType(board_.of(side), shared_.solved[std::size_t(side)], shared_.control, Method::traditional, limits, 1);
    }

    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - shared_.start).count(); }

    bool is_stopped() {
        if (stopped_) return true;
        if (!is_finishing_ && limits_.nodes > 0 && shared_.nodes.load(std::memory_order_relaxed) >= limits_.nodes) stopped_ = true;
        return is_called_off() || stopped_;
    }

    // By the clock or the caller. Nodes do not count: they are no reason to list fewer moves.
    bool is_called_off() {
        if (number_ == 0 && shared_.control.poll && std::chrono::steady_clock::now() - polled_ > std::chrono::milliseconds(50)) {
            polled_ = std::chrono::steady_clock::now();
            if (shared_.control.poll()) shared_.control.stop.store(true);
        }
        const bool is_off = shared_.control.stop.load(std::memory_order_relaxed) || shared_.is_over.load(std::memory_order_relaxed) ||
                            is_past(is_finishing_ ? 1 : search_share);
        stopped_ |= is_off;
        return is_off;
    }

    bool is_past(double share) const { return limits_.hard_seconds > 0 && elapsed() > limits_.hard_seconds * share; }

    // A move that has stayed best for long needs less time.
    double soft_share() const { return steady_ >= 3 ? 0.7 : 1.0; }

    static bool is_certain(int score) { return std::abs(score) >= win - far && score != -infinite; }
    static bool is_lost(int score) { return score < 0 && is_certain(score); }

    // More depth would change nothing.
    bool is_settled() const {
        return std::all_of(root_.begin(), root_.begin() + shown(), [](const Line& line) { return is_certain(line.score); });
    }

    std::ptrdiff_t shown() const { return std::min<std::ptrdiff_t>(wanted_, std::ptrdiff_t(root_.size())); }

    // Before anything else at the root: a row, double threats, single threats. False also if the move is not to be told.
    bool win_by_threats(Line& line) {
        if (!board_.can_win(side_)) return false;
        if (board_.has_row_in(side_, stones_)) {  // of these moves, one that may be told
            if (!moves_.complete_row(side_, stones_, left_out_, line.move)) return false;
            line.score = win - 1;
            line.depth = 1;
            line.by_threats = true;
            line.moves.push_back(line.move);
            return true;
        }
        Strategy strategy;
        ZoneType zone;
        return (solvers_[std::size_t(side_)].win_within(settings_.root_threats, stones_, &zone, &strategy) && is_told(strategy, line)) ||
               win_by_single_threats(nodes_for_single_threats(), line);
    }

    bool win_by_single_threats(std::uint64_t nodes, Line& line) {
        Strategy strategy;
        return wins_with_single_threats(side_, stones_, nodes, strategy) && is_told(strategy, line);
    }

    // A long search is worth a longer look for single threats.
    bool look_again_for_a_win(Line& line) {
        const std::uint64_t nodes = nodes_for_single_threats() / 2;
        if (nodes < 2 * own_threats_seen_) return false;
        own_threats_seen_ = nodes;
        return win_by_single_threats(nodes, line);
    }

    std::uint64_t nodes_for_single_threats() const {
        if (settings_.single_threats == 0) return 0;
        double first = std::clamp(planned_nodes() * single_nodes_a_node, double(settings_.single_threats), double(settings_.long_single_threats));
        // In a short search the solver would use up all nodes before the first step.
        if (limits_.nodes > 0) first = std::min(first, double(limits_.nodes) * double(nodes_of_a_solver) * max_single_share);
        return std::max(std::uint64_t(first), settings_.single_share * shared_.nodes.load(std::memory_order_relaxed));
    }

    // How long the search is to be, roughly; without a limit, long enough. No whole number: limits may be absurdly large.
    double planned_nodes() const {
        if (limits_.nodes > 0) return double(limits_.nodes);
        return limits_.hard_seconds > 0 ? limits_.hard_seconds * nodes_a_second : double(settings_.long_single_threats);
    }

    // A win as a line; false if its move is not to be told.
    bool is_told(const Strategy& strategy, Line& line) const {
        line.move = strategy.move;
        line.move.sort();
        if (std::find(left_out_.begin(), left_out_.end(), line.move) != left_out_.end()) return false;
        line.score = win - 2 * strategy.length() + 1;
        line.depth = strategy.length();
        line.by_threats = true;
        for (const Strategy* at = &strategy;;) {
            line.moves.push_back(at->move);
            const auto longest = std::max_element(at->replies.begin(), at->replies.end(), [](const auto& a, const auto& b) {
                return a.answer->length() < b.answer->length();
            });
            if (longest == at->replies.end()) return true;
            line.moves.push_back(longest->stones);
            at = longest->answer.get();
        }
    }

    bool wins_with_single_threats(int side, int stones, std::uint64_t nodes, Strategy& strategy) {
        if (board_.p() < 2 || nodes == 0 || !board_.can_win(side) || is_stopped()) return false;
        // What a narrow search misses a wide one often finds, and the other way round: so a few nodes for the one, the rest for the
        // other, and if both have nothing more to try, stones that make no threat may stand anywhere.
        struct Try {
            int width;
            bool is_near;
            std::uint64_t nodes;
        };
        std::uint64_t left = nodes;
        for (const Try& next : {Try{narrow_width, true, nodes / 4}, {wide_width, true, nodes}, {wide_width, false, nodes}}) {
            ProofSettings proof;
            proof.width = next.width;
            proof.near_threats_only = next.is_near;
            Control own;  // counts the nodes of this search alone
            own.poll = [this] { return is_stopped(); };
            Limits limits;
            limits.nodes = std::min(left, next.nodes);
            if (limits_.hard_seconds > 0) limits.seconds = std::max(1e-3, (limits_.hard_seconds - elapsed()) / 2);
            ProofSearch<PositionType> search([&] { return board_.of(side).copy(); }, shared_.solved[std::size_t(side)], own, proof, limits, 1);
            ZoneType zone;
            const bool ok = search.attack(board_.p(), stones) == ProofSearch<PositionType>::Outcome::win && search.explain(strategy, zone);
            shared_.nodes.fetch_add(search.nodes() / nodes_of_a_solver, std::memory_order_relaxed);
            if (ok) return true;
            left -= std::min(left, search.nodes());
            if (left == 0 || is_stopped()) return false;
        }
        return false;
    }

    // What a move looks like without any search.
    int look_of(const Stones& move) {
        board_.play(move, side_);
        const int value = std::clamp(-board_.evaluation().value(1 - side_), -highest, highest);
        board_.take_back(move, side_);
        return value;
    }

    // The moves that are searched at the root, for more squares than usual when it was widened; those that are there already keep
    // their scores.
    void list_root_moves() {
        std::vector<Option> options;
        const std::optional<ZoneType> zone = null_zone(side_, settings_.null_threats * 8);
        is_complete_ = moves_.list(side_, stones_, settings_.root_breadth(zone.has_value()).times(breadth_), zone, options);
        if (options.empty() && root_.empty()) moves_.list_any(side_, stones_, settings_.breadth_of(settings_.root_width, false), options);
        const auto is_new = [&](const Stones& move) {
            return std::find(left_out_.begin(), left_out_.end(), move) == left_out_.end() && listed_.insert(canonical(move)).second;
        };
        std::vector<Line> lines;
        for (const Option& option : options) {
            if (!is_new(option.move)) continue;
            lines.emplace_back();
            lines.back().move = option.move;
        }
        root_.insert(root_.begin(), lines.begin(), lines.end());
    }

    // All moves that were tried lose: are there others?
    bool widen() {
        const std::size_t before = root_.size();
        while (!is_complete_ && breadth_ < widest && root_.size() == before) {
            breadth_ *= 2;
            list_root_moves();
        }
        return root_.size() > before;
    }

    // One more step of depth. False if it was cut short before it had found anything.
    bool step() {
        const Stones best_before = root_[0].move;
        for (std::ptrdiff_t rank = 0; rank < shown(); ++rank) {
            do {
                if (!search_root(std::size_t(rank))) return false;
            } while (refute(rank));
        }
        // A line that was searched later may turn out the better one.
        std::stable_sort(root_.begin(), root_.begin() + shown(), [](const Line& a, const Line& b) { return a.score > b.score; });
        steady_ = root_[0].move == best_before ? steady_ + 1 : 0;
        return true;
    }

    // The same for all moves that equal each other by a symmetry of the position.
    Stones canonical(const Stones& move) const {
        Stones least = move;
        for (const std::vector<Square>& to : symmetries_) {
            Stones image;
            for (Square s : move) image.add(to[s]);
            image.sort();
            least = std::min(least, image);
        }
        return least;
    }

    // A line ends where the table knew the rest.
    void continue_by_table(Line& line) {
        if (line.is_refuted) return;
        int side = side_;
        const auto play = [&](const Stones& move) {
            board_.play(move, side);
            side = 1 - side;
        };
        for (const Stones& move : line.moves) play(move);
        for (EngineTable::Entry entry; int(line.moves.size()) < line.depth && !board_.has_row(1 - side) && shared_.table.find(key_for(side), entry) &&
                                       entry.bound == EngineTable::exact && entry.move.count > 0 && is_legal(entry.move);) {
            line.moves.push_back(entry.move);
            play(entry.move);
        }
        for (auto move = line.moves.rbegin(); move != line.moves.rend(); ++move) {
            side = 1 - side;
            board_.take_back(*move, side);
        }
    }

    // The search knows short double threats; whether the opponent wins with longer or with single ones is worth a look of its own.
    // True if he does and there are other moves to look at.
    bool refute(std::ptrdiff_t rank) {
        Line& best = root_[std::size_t(rank)];
        if (is_certain(best.score) || is_stopped()) return false;
        int length = double_threats_after(best.move);
        if (length == 0 && !(limits_.soft_seconds > 0 && elapsed() > limits_.soft_seconds))
            length = single_threats_after(best.move, nodes_for_single_threats());
        if (length == 0) return false;
        set_refuted(best, length);
        const auto first = root_.begin() + rank;
        std::stable_sort(first, root_.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
        return std::any_of(first, root_.end(), [](const Line& line) { return !is_lost(line.score); });
    }

    // How many moves the opponent's win by double threats takes after a move; 0 if none is found.
    int double_threats_after(const Stones& move) {
        const int other = 1 - side_;
        if (safe_.contains(move)) return 0;
        Strategy strategy;
        ZoneType zone;
        board_.play(move, side_);
        const bool wins = board_.can_win(other) && !board_.has_row(side_) &&
                          solvers_[std::size_t(other)].win_within(settings_.root_threats, board_.p(), &zone, &strategy);
        board_.take_back(move, side_);
        if (!wins && !is_past(1)) safe_.insert(move);
        return wins ? strategy.length() : 0;
    }

    // The same with single threats, whose number is only guessed; nothing is searched twice with about as many nodes.
    int single_threats_after(const Stones& move, std::uint64_t nodes) {
        std::uint64_t& seen = verified_[move];
        if (depth_ < 2 || nodes < 2 * seen) return 0;
        board_.play(move, side_);
        Strategy strategy;
        const bool wins = wins_with_single_threats(1 - side_, board_.p(), nodes, strategy);
        board_.take_back(move, side_);
        if (!wins && !is_stopped()) seen = nodes;
        return wins ? far / 4 : 0;
    }

    static void set_refuted(Line& line, int attacking_moves) {
        line.score = -win + 2 * attacking_moves;
        line.is_refuted = true;
        line.moves.assign(1, line.move);
    }

    // Cut short, a step may have chosen a move that nobody looked at closely, or know that some lose and nothing yet of the others.
    // However few nodes there are, a win by threats is not left open as long as there are other moves.
    void find_safe_move() {
        is_finishing_ = true;
        stopped_ = false;
        const SolverType& solver = solvers_[std::size_t(1 - side_)];
        const std::uint64_t most = solver.nodes() + safe_searches * settings_.root_threats;
        // As many times at most for single threats, each no dearer than the whole search.
        std::uint64_t single_searches = safe_searches / 2, single_nodes = settings_.single_threats;
        if (limits_.nodes > 0) single_nodes = std::min(single_nodes, limits_.nodes * nodes_of_a_solver);
        const auto is_enough = [&] {
            return solver.nodes() >= most || shared_.control.stop.load(std::memory_order_relaxed) || is_past(1);
        };
        put_losing_moves_last();
        while (!is_enough()) {
            const Stones best = root_[0].move;
            if (is_lost(root_[0].score)) {
                if (!widen()) break;
            } else if (root_[0].score >= win - far) {
                return;
            } else if (const int length = double_threats_after(best)) {
                set_refuted(root_[0], length);
                put_losing_moves_last();
            } else if (verified_[best] == 0 && single_searches > 0) {
                --single_searches;
                if (single_threats_after(best, single_nodes) == 0) continue;
                set_refuted(root_[0], far / 4);
                put_losing_moves_last();
            } else if (safe_.contains(best)) {
                return;
            }
        }
        if (is_lost(root_[0].score)) return put_longest_loss_first(is_enough);
        if (root_[0].score >= win - far) return;
        if (safe_.contains(root_[0].move)) return;
        // Nothing was left for a look at it: rather a move that had one, be it one that single threats beat.
        for (const bool may_lose : {false, true}) {
            const auto safe = std::find_if(root_.begin(), root_.end(), [&](const Line& line) {
                return (may_lose || !is_lost(line.score)) && safe_.contains(line.move);
            });
            if (safe == root_.end()) continue;
            safe->score = std::max(safe->score, -highest);  // others may yet be better
            std::rotate(root_.begin(), safe, safe + 1);
            return;
        }
    }

    // All lose. What takes longest may yet be overlooked, above all what double threats do not do.
    template <class IsEnough>
    void put_longest_loss_first(IsEnough is_enough) {
        std::stable_sort(root_.begin(), root_.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
        std::ptrdiff_t hardest = 0;
        int longest = 0;
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(root_.size()) && !is_enough(); ++i) {
            const int length = double_threats_after(root_[std::size_t(i)].move);
            if (length == 0 || length > longest) {
                hardest = i;
                longest = length;
            }
            if (length == 0) break;
        }
        std::rotate(root_.begin(), root_.begin() + hardest, root_.begin() + hardest + 1);
    }

    void put_losing_moves_last() {
        std::stable_partition(root_.begin(), root_.end(), [](const Line& line) { return !is_lost(line.score); });
    }

    // Before a move is thought best: all answers that the root would try, not as deep. The table keeps a good one for the search
    // that follows. False if that was done before.
    bool look_wide(const Stones& move) {
        const int depth = std::min(depth_ - 1, settings_.wide_depth);
        if (depth < 2 || is_stopped() || !looked_wide_.insert({move, depth}).second) return false;
        is_wide_ = true;
        search(1 - side_, depth, -infinite, infinite, 1);
        is_wide_ = false;
        return !is_stopped();
    }

    // Brings the best of the lines from `rank` on to the front of them. False if it was cut short before it knew one.
    bool search_root(std::size_t rank) {
        int alpha = -infinite;
        bool any = false;
        for (std::size_t i = rank; i < root_.size(); ++i) {
            Line& line = root_[i];
            if (is_lost(line.score)) continue;  // that is certain, and stays so
            board_.play(line.move, side_);
            const int reduction = any && depth_ >= 3 && i > rank + 5 ? reduced_by : 0;
            int score = -search(1 - side_, depth_ - 1 - reduction, any ? -alpha - 1 : -infinite, -alpha, 1);
            if (any && score > alpha && !is_stopped()) score = -search(1 - side_, depth_ - 1, -infinite, -alpha, 1);
            if ((!any || score > alpha) && look_wide(line.move)) score = -search(1 - side_, depth_ - 1, -infinite, -alpha, 1);
            board_.take_back(line.move, side_);
            if (is_stopped()) break;
            if (!any || score > alpha) {
                alpha = score;
                line.score = score;
                line.depth = depth_;
                line.moves.assign(1, line.move);
                line.moves.insert(line.moves.end(), lines_[1].begin(), lines_[1].end());
                std::rotate(root_.begin() + std::ptrdiff_t(rank), root_.begin() + std::ptrdiff_t(i), root_.begin() + std::ptrdiff_t(i) + 1);
                any = true;
            } else if (is_lost(score)) {
                line.score = score;
            }
        }
        return any;
    }

    // The value of a position for `side`, who is to move with all stones of his turn. `freed`: how many threats of the line cost nothing.
    int search(int side, int depth, int alpha, int beta, int ply, int freed = 0) {
        std::vector<Stones>& line = lines_[std::size_t(ply)];
        line.clear();
        shared_.nodes.fetch_add(1, std::memory_order_relaxed);
        if (is_stopped()) return 0;
        const int other = 1 - side, p = board_.p();
        if (board_.has_row(other)) return -(win - ply + 1);
        if (board_.has_row_in(side, p)) return win - ply;
        if (board_.empty().empty()) return 0;
        alpha = std::max(alpha, -(win - ply));
        beta = std::min(beta, win - ply);
        if (alpha >= beta) return alpha;
        const int threats = board_.threats(other, [this] { return is_called_off(); });
        if (threats > p) return -(win - ply - 1);
        const bool must_answer = threats > 0;
        // A forced pair of moves puts off what a quiet move behind it wins. Both are free, so that leaves of equal parity compare.
        const bool is_free = threats == p && depth > 0 && freed < settings_.free_threats && ply < max_ply - 1;
        if (must_answer && depth <= 0 && ply < depth_ + extensions) depth = 1;  // what must be answered is no place to stop
        if (ply >= max_ply - 1) depth = 0;
        const std::uint64_t key = key_for(side);
        EngineTable::Entry entry;
        const bool known = shared_.table.find(key, entry);
        const bool is_wide = is_wide_ && ply == 1;
        if (known && entry.depth >= depth && !is_wide) {
            const int score = from_table(entry.score, ply);
            if (entry.bound == EngineTable::exact || (entry.bound == EngineTable::lower && score >= beta) ||
                (entry.bound == EngineTable::upper && score <= alpha))
                return score;
        }
        if (is_free) depth += 2, ++freed;
        const int look = depth <= 0 ? std::clamp(board_.evaluation().value(side), -highest, highest) : 0;
        if (depth <= 0 && look >= beta) return look;  // a win by threats could only add to what is enough already
        if (board_.can_win(side) && solvers_[std::size_t(side)].win_within(settings_.threats, p, nullptr)) {
            const int score = win - ply - 3;
            store(key, Stones(), score, max_ply, EngineTable::exact, ply);
            return score;
        }
        if (depth <= 0) return look;
        const bool is_last = must_answer && depth == 1;
        const int width = is_last ? settings_.answers : settings_.width;
        const int attacks = is_last || depth_ < settings_.attacks_from ? 0 : settings_.attacks;
        const auto list = [&](int factor, std::vector<Option>& out) {
            const std::optional<ZoneType> zone = null_zone(side, settings_.null_threats);
            const Breadth breadth =
                is_wide ? settings_.root_breadth(zone.has_value()) : settings_.breadth_of(width, zone.has_value(), attacks);
            return moves_.list(side, p, breadth.times(factor), zone, out);
        };
        std::vector<Option>& options = options_[std::size_t(ply)];
        bool is_complete = list(1, options);
        if (stopped_) return 0;
        if (known && is_legal(entry.move)) {
            // Found when more moves were listed, it need not be among these.
            std::erase_if(options, [&](const Option& option) { return option.move == entry.move; });
            options.insert(options.begin(), {entry.move, 0});
        }
        int best = -infinite, before = alpha, factor = 1;
        Stones best_move;
        for (std::size_t i = 0; alpha < beta; ++i) {
            if (i == options.size()) {
                // All that were tried lose. Before this is believed, others are.
                if (is_complete || best > -(win - far) || factor >= settings_.breadth) break;
                std::vector<Option> more;
                is_complete = list(factor *= 2, more);
                std::erase_if(more, [&](const Option& option) {
                    return std::any_of(options.begin(), options.end(), [&](const Option& tried) { return tried.move == option.move; });
                });
                options.insert(options.end(), more.begin(), more.end());
                if (more.empty()) break;
            }
            const Stones move = options[i].move;
            const int reduction = depth >= 3 && int(i) >= settings_.reduce_from && !must_answer ? reduced_by : 0;
            board_.play(move, side);
            int score = -search(other, depth - 1 - reduction, i == 0 ? -beta : -alpha - 1, -alpha, ply + 1, freed);
            if (i > 0 && score > alpha && (reduction > 0 || score < beta) && !is_stopped())
                score = -search(other, depth - 1, -beta, -alpha, ply + 1, freed);
            board_.take_back(move, side);
            if (stopped_) return 0;
            if (score > best) {
                best = score;
                best_move = move;
            }
            if (score > alpha) {
                alpha = score;
                line.assign(1, move);
                line.insert(line.end(), lines_[std::size_t(ply) + 1].begin(), lines_[std::size_t(ply) + 1].end());
            }
        }
        // Where not all moves were tried, that they lose is a bad sign, no more.
        if (!is_complete && best <= -(win - far)) best = std::max(-highest, std::min(0, board_.evaluation().value(side)) - settings_.bad_sign);
        store(key, best_move, best, depth, best >= beta ? EngineTable::lower : best > before ? EngineTable::exact : EngineTable::upper, ply);
        return best;
    }

    std::uint64_t key_for(int side) const { return board_.key() ^ mix(std::uint64_t(side) + 0x51de); }

    // The table may know another position by the same key.
    bool is_legal(const Stones& move) const {
        return move.count == std::min(board_.p(), board_.empty().count()) && std::adjacent_find(move.begin(), move.end()) == move.end() &&
               std::all_of(move.begin(), move.end(), [this](Square s) { return s < board_.geometry().squares && board_.is_empty(s); });
    }

    // Wins are counted from the root in the search, from the position in the table.
    static int from_table(int score, int ply) { return !is_certain(score) ? score : score > 0 ? score - ply : score + ply; }

    void store(std::uint64_t key, const Stones& move, int score, int depth, EngineTable::Bound bound, int ply) {
        const int from_here = !is_certain(score) ? score : score > 0 ? score + ply : score - ply;
        shared_.table.store({key, move, from_here, std::int16_t(depth), bound});
    }

    // Where the opponent's win by threats could be stopped, if he has one when `side` passes. Threats on the board come first.
    std::optional<ZoneType> null_zone(int side, std::uint64_t budget) {
        const int other = 1 - side;
        ZoneType zone;
        if (!board_.can_win(other) || board_.threatens(other) || !solvers_[std::size_t(other)].win_within(budget, board_.p(), &zone)) return std::nullopt;
        return zone;
    }

    Shared& shared_;
    EngineBoard<PositionType> board_;
    EngineSettings settings_;
    EngineLimits limits_;
    int number_;
    EngineMoves<PositionType> moves_;
    std::array<SolverType, 2> solvers_;
    std::array<std::vector<Option>, max_ply> options_;
    std::array<std::vector<Stones>, max_ply + 1> lines_;  // expected from each ply on
    std::chrono::steady_clock::time_point polled_ = std::chrono::steady_clock::now();
    bool stopped_ = false;
    bool is_finishing_ = false;  // the search is over; what is left is a last look at its move
    // Of the root:
    int side_ = black, stones_ = 1;
    std::vector<Stones> left_out_;  // moves that are not to be searched
    std::vector<std::vector<Square>> symmetries_;
    std::set<Stones> listed_;  // one of all moves that equal each other
    std::vector<Line> root_;
    std::set<std::pair<Stones, int>> looked_wide_;  // moves that look_wide has seen, and how deep
    bool is_wide_ = false;
    std::set<Stones> safe_;         // moves after which no win of the opponent by double threats was found
    std::map<Stones, std::uint64_t> verified_;  // with how many nodes no win of the opponent by single threats was found
    std::uint64_t own_threats_seen_ = 0;  // with how many nodes no own win by single threats was found
    int wanted_ = 1, depth_ = 0, steady_ = 0, breadth_ = 1;
    bool is_complete_ = false;  // whether no move beside those of the root could help
};

}  // namespace tengen
