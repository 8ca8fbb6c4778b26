// The solver's door to Python.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

struct Task {
    int width, height, k, p;
    std::vector<Square> attackers, defenders;
    int stones;  // that the attacker has left in this turn
    int least_threats;
    Method method;
    bool wide;
    Limits limits;
    int table_bits;
};

struct Answer {
    std::string result;
    int depth = 0;
    std::uint64_t nodes = 0;
    std::optional<Strategy> strategy;
    std::vector<std::vector<Square>> zone;
    std::vector<std::pair<std::vector<Square>, int>> first_moves;
};

template <class PositionType>
Answer solve_on(PositionType& position, const Task& task, Control& control, bool all) {
    Table table(task.table_bits);
    Solver<PositionType> solver(position, table, control, task.least_threats, task.method, task.wide, task.limits);
    Answer answer;
    using Outcome = typename Solver<PositionType>::Outcome;
    const Outcome outcome = solver.run(task.stones, answer.depth);
    answer.result = outcome == Outcome::win ? "win" : outcome == Outcome::none ? "none" : "unknown";
    answer.nodes = solver.nodes();
    if (outcome != Outcome::win) return answer;
    // The explanation must not be cut short by the limits of the search.
    Control free_run;
    Solver<PositionType> explainer(position, table, free_run, task.least_threats, Method::traditional, task.wide, Limits{});
    Strategy strategy;
    typename PositionType::ZoneType zone;
    if (!explainer.explain(task.stones, answer.depth, strategy, zone)) throw std::logic_error("a win was found but not found again");
    answer.strategy = std::move(strategy);
    for (const auto& squares : zone.z) {
        answer.zone.emplace_back();
        squares.each([&](Square s) { answer.zone.back().push_back(s); });
    }
    (void)all;
    return answer;
}

Answer solve(const Task& task, Control& control, bool all) {
    const Geometry geometry(task.width, task.height, task.k);
    const auto run = [&](auto position) {
        for (Square s : task.attackers) position.place(s, attacker);
        for (Square s : task.defenders) position.place(s, defender);
        return solve_on(position, task, control, all);
    };
    if (geometry.squares <= 384) {
        if (task.k == 6 && task.p == 2) return run(Position<6, 2, 6>(geometry, 2));
        return run(Position<0, 0, 6>(geometry, task.p));
    }
    if (geometry.squares <= 4096) return run(Position<0, 0, 64>(geometry, task.p));
    return run(Position<0, 0, 256>(geometry, task.p));
}

std::vector<Square> as_vector(const Stones& stones) { return {stones.begin(), stones.end()}; }

// A strategy as nested tuples: (move, [(stones, passes, answer), …]).
nb::object as_tuples(const Strategy& strategy) {
    nb::list replies;
    for (const auto& reply : strategy.replies)
        replies.append(nb::make_tuple(as_vector(reply.stones), reply.passes, as_tuples(*reply.answer)));
    return nb::make_tuple(as_vector(strategy.move), replies);
}

}  // namespace

void bind_solver(nb::module_& m) {
    nb::class_<Control>(m, "Control")
        .def(nb::init<>())
        .def("stop", [](Control& c) { c.stop.store(true); })
        .def_prop_ro("stopped", [](const Control& c) { return c.stop.load(); })
        .def_prop_ro("nodes", [](const Control& c) { return c.nodes.load(); })
        .def_prop_ro("depth", [](const Control& c) { return c.depth.load(); });

    m.def(
        "solve",
        [](Control& control, int width, int height, int k, int p, std::vector<Square> attackers, std::vector<Square> defenders,
           int stones, int least_threats, const std::string& method, bool wide, int depth, std::uint64_t nodes, double seconds,
           int table_bits, bool all) {
            const Method chosen = method == "conservative" ? Method::conservative
                                  : method == "hybrid"     ? Method::hybrid
                                                           : Method::traditional;
            const Task task{width,         height, k,    p,    std::move(attackers), std::move(defenders), stones,
                            least_threats, chosen, wide, {depth, nodes, seconds}, table_bits};
            Answer answer;
            {
                nb::gil_scoped_release release;
                answer = solve(task, control, all);
            }
            nb::object strategy = nb::none();
            if (answer.strategy) strategy = as_tuples(*answer.strategy);
            return nb::make_tuple(answer.result, answer.depth, answer.nodes, strategy, answer.zone, answer.first_moves);
        },
        "control"_a, "width"_a, "height"_a, "k"_a, "p"_a, "attackers"_a, "defenders"_a, "stones"_a, "least_threats"_a, "method"_a,
        "wide"_a, "depth"_a, "nodes"_a, "seconds"_a, "table_bits"_a, "all"_a);
}

}  // namespace tengen
