// The solver's door to Python.
#include "bind_search.hpp"
#include "team.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

struct Task {
    const Setup& setup;
    int stones;  // that the attacker has left in this turn
    int order;
    Method method;
    bool wide;  // leave nothing out, in searches of higher order than 1
    ProofSettings settings;
    Limits limits;
    int table_bits, threads;
    bool shortest, all, zones;
    Stones first;  // the only first move to try, if any
};

enum class Result { win, none, unknown };

struct Answer {
    Result result = Result::unknown;
    int order = 1;  // of the win
    int depth = 0;
    std::uint64_t nodes = 0;
    std::optional<Strategy> strategy;
    std::vector<std::vector<Square>> zone;
    std::vector<std::pair<std::vector<Square>, int>> first_moves;
    bool all_known = true;  // whether every other first move is known not to win
};

template <class PositionType>
class Search {
    using SolverType = Solver<PositionType>;
    using Outcome = typename SolverType::Outcome;

public:
    Search(const Geometry& geometry, const Task& task, Control& caller)
        : geometry_(geometry), task_(task), table_(task.table_bits, task.threads > 1) {
        // The walk of a win knows no limits: time reaches it in the same way as the caller's wish to stop.
        control_.poll = [this, &caller] {
            caller.nodes.store(control_.nodes.load());
            caller.depth.store(control_.depth.load());
            if (caller.poll && caller.poll()) caller.stop.store(true);
            return caller.stop.load() || (task_.limits.seconds > 0 && seconds_left() <= least_seconds);
        };
        control_.stop.store(caller.stop.load());
    }

    Answer run() {
        Limits limits = task_.limits;
        if (task_.order > 1) {  // the lower order is cheap and often enough, but must leave room for the higher one
            if (limits.nodes > 0) limits.nodes = std::max<std::uint64_t>(1, limits.nodes / 2);
            limits.seconds /= 2;
            if (!task_.wide) limits.nodes = limits.nodes > 0 ? std::min(limits.nodes, first_look) : first_look;
        }
        Answer answer = deepen(1, limits);
        if (task_.order > 1 && !control_.stop.load()) {
            limits = task_.limits;
            limits.seconds = seconds_left();
            if (answer.result == Result::win && task_.shortest) limits.depth = std::min(limits.depth, answer.depth - 1);
            if (answer.result != Result::win || (task_.shortest && limits.depth > 0)) {
                const std::uint64_t before = answer.nodes;
                Answer higher = task_.wide ? deepen(task_.order, limits) : prove(limits);
                if (higher.result == Result::win || answer.result != Result::win) answer = std::move(higher);
                answer.nodes += before;
            }
        } else if (task_.order > 1 && answer.result == Result::none) {
            answer.result = Result::unknown;  // stopped before the higher order was looked at
        }
        if (answer.result == Result::win && !answer.strategy && !explain(answer)) answer.result = without_strategy();
        if (task_.all && answer.result == Result::win) find_first_moves(answer);
        return answer;
    }

private:
    static constexpr std::uint64_t first_look = 200'000;  // nodes for a win of order 1 before a proof search begins

    static constexpr double least_seconds = 1e-6;  // none at all would mean no limit

    double seconds_left() const {
        if (task_.limits.seconds <= 0) return 0;
        return std::max(least_seconds, task_.limits.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
    }

    // Of a win that could not be walked: it stands if there only was no time for that.
    Result without_strategy() const { return control_.stop.load() ? Result::win : Result::unknown; }

    PositionType position() const { return task_.setup.position<PositionType>(geometry_); }

    // Every thread deepens by itself, in another order of moves; they share what they learn, and the first to know ends it.
    Answer deepen(int order, const Limits& limits) {
        std::vector<Answer> answers(std::size_t(task_.threads));
        std::atomic<int> first{-1};
        std::atomic<bool> decided{false};
        std::exception_ptr failure;
        const auto work = [&](int number) {
            try {
                PositionType own = position();
                SolverType solver(own, table_, control_, task_.method, limits, number, &decided);
                Answer& answer = answers[std::size_t(number)];
                const Outcome outcome = solver.run(order, task_.stones, answer.depth, task_.first);
                answer.order = order;
                answer.nodes = solver.nodes();
                answer.result = outcome == Outcome::win ? Result::win : outcome == Outcome::none ? Result::none : Result::unknown;
                int nobody = -1;
                if (outcome != Outcome::unknown && first.compare_exchange_strong(nobody, number)) decided.store(true);
            } catch (...) {
                if (!decided.exchange(true)) failure = std::current_exception();
            }
        };
        work_together(task_.threads, [&] { work(0); }, work);
        if (failure) std::rethrow_exception(failure);
        std::uint64_t nodes = 0;
        for (const Answer& answer : answers) nodes += answer.nodes;
        Answer answer = std::move(answers[std::size_t(std::max(0, first.load()))]);
        answer.nodes = nodes;
        return answer;
    }

    // A proof search for wins of higher order.
    Answer prove(const Limits& limits) {
        ProofSearch<PositionType> search([this] { return position(); }, table_, control_, task_.settings, limits, task_.threads);
        return tell(search, search.attack(task_.order, task_.stones, task_.first));
    }

    Answer tell(ProofSearch<PositionType>& search, typename ProofSearch<PositionType>::Outcome outcome) {
        using ProofOutcome = typename ProofSearch<PositionType>::Outcome;
        Answer answer;
        answer.order = task_.order;
        answer.result = outcome == ProofOutcome::win ? Result::win : outcome == ProofOutcome::none ? Result::none : Result::unknown;
        answer.depth = search.depth();
        answer.nodes = search.nodes();
        if (outcome != ProofOutcome::win) return answer;
        Strategy strategy;
        typename PositionType::ZoneType zone;
        if (search.explain(strategy, zone)) {
            answer.depth = strategy.length();
            answer.strategy = std::move(strategy);
            if (task_.zones) answer.zone = as_lists(zone);
        } else {
            answer.result = without_strategy();
        }
        return answer;
    }

    // Walks the win once more, checking every move and defence of it on the board: the table is trusted for hints only, so
    // that not even a clash of hash keys can make a false win. False if the win does not stand, or the time is up.
    bool explain(Answer& answer) {
        PositionType own = position();
        SolverType solver(own, table_, control_, Method::traditional, Limits{});
        Strategy strategy;
        typename PositionType::ZoneType zone;
        if (!solver.explain(answer.order, task_.stones, answer.depth, task_.first, strategy, task_.zones ? &zone : nullptr))
            return false;
        if (answer.order > 1) answer.depth = strategy.length();
        answer.strategy = std::move(strategy);
        if (task_.zones) answer.zone = as_lists(zone);
        return true;
    }

    void find_first_moves(Answer& answer) {
        PositionType own = position();
        Limits limits = task_.limits;
        limits.seconds = seconds_left();
        SolverType solver(own, table_, control_, Method::traditional, limits);
        if (own.fillable(attacker, task_.stones) >= 0) return list_rows(own, answer);
        std::vector<Stones> known;
        for (int order = 1; order <= (task_.wide ? task_.order : 1); ++order) {  // the lower orders are cheap, so they come first
            std::vector<Candidate> candidates;
            solver.moves(task_.stones, solver.least_threats(order), limits.depth, candidates);
            for (const Candidate& candidate : candidates) {
                if (std::find(known.begin(), known.end(), candidate.move) != known.end()) continue;
                bool open = true;
                for (int depth = 1; open && depth <= limits.depth && !solver.stopped(); ++depth) {
                    solver.clear_cut();
                    if (solver.wins(order, candidate.move, depth)) {
                        answer.first_moves.emplace_back(as_vector(candidate.move), depth);
                        known.push_back(candidate.move);
                        open = false;
                    } else if (!solver.cut() && !solver.stopped()) {
                        open = false;
                    }
                }
                answer.all_known &= !open;
            }
        }
        answer.all_known &= !solver.stopped();  // else not even the list of moves need be complete
        answer.nodes += solver.nodes();
        if (task_.order > 1 && !task_.wide) prove_first_moves(own, solver, answer, known);
    }

    // Each of the moves that a proof search would try. Which of the others win it cannot know.
    void prove_first_moves(PositionType& own, SolverType& solver, Answer& answer, const std::vector<Stones>& known) {
        std::vector<AttackMove> moves;
        AttackMoves<PositionType>(own, solver).choose(task_.stones, solver.least_threats(task_.order), task_.settings.width,
                                                      task_.settings.quiet_width, task_.settings.built_on(own.k(), own.p()), moves);
        for (const AttackMove& move : moves) {
            if (control_.stop.load() || std::find(known.begin(), known.end(), move.stones) != known.end()) continue;
            Limits limits = task_.limits;
            limits.seconds = seconds_left();
            ProofSearch<PositionType> search([this] { return position(); }, table_, control_, task_.settings, limits, task_.threads);
            const Answer one = tell(search, search.attack(task_.order, task_.stones, move.stones));
            if (one.strategy) answer.first_moves.emplace_back(as_vector(move.stones), one.depth);
            answer.nodes += one.nodes;
        }
        answer.all_known = false;
    }

    // Where a row can be completed at once, the ways to do so; nobody will want the other wins.
    void list_rows(const PositionType& own, Answer& answer) const {
        std::vector<Stones> rows;
        own.each_open(attacker, std::max(1, own.k() - task_.stones), [&](SegmentId id) {
            Stones row;
            own.each_empty(id, [&row](Square s) { row.add(s); });
            row.sort();
            rows.push_back(row);
        });
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        for (const Stones& row : rows) answer.first_moves.emplace_back(std::vector<Square>(row.begin(), row.end()), 1);
        answer.all_known = false;
    }

    const Geometry& geometry_;
    const Task& task_;
    Control control_;  // its own: that of the caller is not stopped by the clock
    Table table_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Method method_named(const std::string& name) {
    if (name == "traditional") return Method::traditional;
    if (name == "conservative") return Method::conservative;
    if (name == "hybrid") return Method::hybrid;
    throw nb::value_error("the methods are traditional, conservative and hybrid");
}

}  // namespace

void bind_solver(nb::module_& m) {
    nb::class_<Control>(m, "Control")
        .def(nb::init<>())
        .def("stop", [](Control& c) { c.stop.store(true); })
        .def_prop_ro("stopped", [](const Control& c) { return c.stop.load(); })
        .def_prop_ro("nodes", [](const Control& c) { return c.nodes.load(); })
        .def_prop_ro("depth", [](const Control& c) { return c.depth.load(); });

    nb::class_<Setup>(m, "Setup")
        .def("__init__",
             [](Setup* self, int width, int height, int k, int p, bool maker_breaker, std::vector<Square> attackers,
                std::vector<Square> defenders) {
                 Setup setup{width, height, k, p, maker_breaker, std::move(attackers), std::move(defenders)};
                 setup.check(setup.attackers);
                 setup.check(setup.defenders);
                 new (self) Setup(std::move(setup));
             },
             "width"_a, "height"_a, "k"_a, "p"_a, "maker_breaker"_a, "attackers"_a, "defenders"_a);

    m.def(
        "solve",
        [](Control& control, const Setup& setup, int stones, int order, const std::string& method, bool wide, int moves, std::uint64_t tree_nodes, int depth,
           std::uint64_t nodes, double seconds, int table_bits, int threads, bool shortest, bool all, bool zones, std::vector<Square> first,
           nb::object progress) {
            if (first.size() > std::size_t(stones) || stones > 8) throw nb::value_error("a move has too many stones");
            ProofSettings settings;
            settings.depth = depth;
            if (moves > 0) settings.width = moves;
            if (tree_nodes > 0) settings.tree_nodes = std::size_t(tree_nodes);
            setup.check(first);
            const Task task{setup, stones, order, method_named(method), wide, settings, {depth, nodes, seconds}, table_bits,
                            std::max(1, threads), shortest, all, zones, as_stones(first)};
            Visits visits(control, std::move(progress));
            Answer answer;
            {
                const nb::gil_scoped_release release;
                control.nodes.store(0);
                answer = setup.dispatch([&]<class PositionType>(const Geometry& geometry) {
                    return Search<PositionType>(geometry, task, control).run();
                });
            }
            visits.rethrow();
            nb::object strategy = nb::none();
            if (answer.strategy) strategy = as_tuples(*answer.strategy);
            constexpr const char* names[] = {"win", "none", "unknown"};
            return nb::make_tuple(names[int(answer.result)], answer.order, answer.depth, answer.nodes, strategy, answer.zone,
                                  answer.first_moves, answer.all_known);
        },
        "control"_a, "setup"_a, "stones"_a, "order"_a, "method"_a, "wide"_a, "moves"_a, "tree_nodes"_a, "depth"_a, "nodes"_a, "seconds"_a, "table_bits"_a,
        "threads"_a, "shortest"_a, "all"_a, "zones"_a, "first"_a, "progress"_a.none() = nb::none());
}

}  // namespace tengen
