// The agents' door to Python.
#include "bind_search.hpp"

#include <nanobind/stl/tuple.h>

#include "agent_board.hpp"
#include "agent_search.hpp"
#include "meter.hpp"
#include "playouts.hpp"
#include "rankings.hpp"
#include "sequences.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

using Listed = std::vector<std::tuple<int, int, double>>;

Mover checked(const AgentBoard& board, int colour, int left) {
    if (colour != black && colour != white) throw nb::value_error("a colour is 0 (black) or 1 (white)");
    if (left < 1 || left > board.empty()) throw nb::value_error("there is no room for so many stones");
    return {colour, left};
}

// Squares with their utilities, best first, equal ones row by row.
Listed listed(const AgentBoard& board, std::vector<Ranked>& moves) {
    std::stable_sort(moves.begin(), moves.end(), [](const Ranked& a, const Ranked& b) { return a.utility > b.utility; });
    Listed list;
    list.reserve(moves.size());
    for (const Ranked& move : moves) list.emplace_back(board.x(move.cell), board.y(move.cell), move.utility);
    return list;
}

// A way to rank, without the scratch memory of any one search.
struct RankingMethod {
    Ranking rank;
    Evaluation evaluate = nullptr;
};

RankingMethod threats_method(bool prioritise) {
    return {ThreatsRanking(prioritise),
            [threats = ThreatsRanking(prioritise)](AgentBoard& board, int colour) mutable { return threats.evaluate(board, colour); }};
}

}  // namespace

void bind_agents(nb::module_& m) {
    m.attr("SEARCH_WIN") = AgentSearch::win;
    m.attr("SEQUENCES_WIN") = SequencesRanking::win;
    m.attr("SEQUENCES_STRONG") = SequencesRanking::strong;
    m.attr("SEQUENCES_THREAT") = SequencesRanking::threat;
    m.def("tie_key", &AgentSearch::tie_key, "x"_a, "y"_a, "salt"_a);

    nb::class_<RankingMethod>(m, "Ranking")
        .def_static("adjacent", [] { return RankingMethod{AdjacentRanking{}}; })
        .def_static("windows", [] { return RankingMethod{WindowsRanking{}}; })
        .def_static("threats", &threats_method, "prioritise"_a)
        .def_static("sequences", [](double defence) { return RankingMethod{SequencesRanking(defence)}; }, "defence"_a)
        .def_static("mesh", [](double theirs) { return RankingMethod{MeshRanking(theirs)}; }, "theirs"_a)
        .def("rank", [](const RankingMethod& method, const Board& stones, int p, bool maker_breaker, int colour, int left) {
            AgentBoard board(stones, p, maker_breaker);
            const Mover mover = checked(board, colour, left);
            std::vector<Ranked> moves;
            Ranking rank = method.rank;
            rank(board, mover, moves);
            return listed(board, moves);
        }, "board"_a, "p"_a, "maker_breaker"_a, "colour"_a, "left"_a)
        .def_prop_ro("evaluates", [](const RankingMethod& method) { return method.evaluate != nullptr; })
        .def("evaluate", [](const RankingMethod& method, const Board& stones, int p, bool maker_breaker, int colour) {
            if (!method.evaluate) throw nb::value_error("this ranking does not evaluate boards");
            if (colour != black && colour != white) throw nb::value_error("a colour is 0 (black) or 1 (white)");
            AgentBoard board(stones, p, maker_breaker);
            Evaluation evaluate = method.evaluate;
            return evaluate(board, colour);
        }, "board"_a, "p"_a, "maker_breaker"_a, "colour"_a)
        .def("search", [](const RankingMethod& method, Control& control, const Board& stones, int p, bool maker_breaker, int colour,
                          int left, int depth, int top, bool by_board, std::uint64_t nodes, double seconds, std::uint64_t salt) {
            if (depth < 1 || top < 1) throw nb::value_error("depth and top are at least 1");
            AgentBoard board(stones, p, maker_breaker);
            const Mover mover = checked(board, colour, left);
            Visits visits(control, nb::none());
            Meter meter(control, nodes, seconds);
            AgentSearch search(board, method.rank, by_board ? method.evaluate : Evaluation(), std::size_t(top), salt, meter);
            AgentSearch::Result result;
            {
                const nb::gil_scoped_release release;
                result = search.run(mover, depth);
            }
            visits.rethrow();
            std::vector<std::pair<int, int>> line;
            for (int cell : result.line) line.emplace_back(board.x(cell), board.y(cell));
            return nb::make_tuple(line, result.value, meter.nodes(), result.complete);
        }, "control"_a, "board"_a, "p"_a, "maker_breaker"_a, "colour"_a, "left"_a, "depth"_a, "top"_a, "by_board"_a, "nodes"_a, "seconds"_a, "salt"_a);

    m.def("random_games", [](Control& control, const Board& stones, int p, bool maker_breaker, int colour, int left, int within,
                             bool local, std::uint64_t games, double seconds, std::uint64_t seed) {
        if (games == 0 && seconds <= 0) throw nb::value_error("say how many games, or how long");
        const AgentBoard board(stones, p, maker_breaker);
        Playouts playouts(board, checked(board, colour, left), local, seed);
        Visits visits(control, nb::none());
        Meter meter(control, games, seconds);
        std::vector<Ranked> moves;
        {
            const nb::gil_scoped_release release;
            playouts.rank(within, meter, moves);
        }
        visits.rethrow();
        return listed(board, moves);
    }, "control"_a, "board"_a, "p"_a, "maker_breaker"_a, "colour"_a, "left"_a, "within"_a, "local"_a, "games"_a, "seconds"_a, "seed"_a);

    m.def("sequence_threats", [](const Board& stones, int p, bool maker_breaker, const std::vector<std::pair<int, int>>& squares, int colour) {
        AgentBoard board(stones, p, maker_breaker);
        SequencesRanking sequences(1.0);
        sequences.scan(board);
        for (const auto& [x, y] : squares) {
            if (!board.contains(x, y) || !board.is_empty(board.cell(x, y))) throw nb::value_error("a stone does not fit");
            board.place(board.cell(x, y), colour);
            sequences.rescan(board, board.cell(x, y));
        }
        return std::pair(sequences.threats(black), sequences.threats(white));
    }, "board"_a, "p"_a, "maker_breaker"_a, "squares"_a, "colour"_a);
}

}  // namespace tengen
