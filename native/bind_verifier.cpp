// The verifier's door to Python.
#include "bind_search.hpp"
#include "verifier.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

constexpr const char* statuses[] = {"losing", "open", "unknown", "later"};

struct Outcome {
    bool row = false;  // the defender completes a row
    bool complete = true;
    std::uint64_t nodes = 0;
    nb::list replies;
};

}  // namespace

void bind_verifier(nb::module_& m) {
    m.def(
        "defend",
        [](Control& control, const Setup& setup, int stones, int order, std::vector<std::vector<Square>> prohibited,
           std::uint64_t reply_nodes, std::uint64_t nodes, double seconds, int table_bits, int threads, bool merge, nb::object tell,
           nb::object progress) {
            Visits visits(control, std::move(progress));
            Outcome outcome;
            {
                const nb::gil_scoped_release release;
                setup.dispatch([&]<class PositionType>(const Geometry& geometry) {
                    using VerifierType = Verifier<PositionType>;
                    typename VerifierType::Request request;
                    request.order = order;
                    request.stones = stones;
                    request.reply_nodes = reply_nodes;
                    for (const auto& squares : prohibited) request.prohibited.push_back(as_stones(squares));
                    request.limits.nodes = nodes;
                    request.limits.seconds = seconds;
                    request.threads = std::max(1, threads);
                    request.settings.merge = merge;
                    Table table(table_bits, threads > 1);
                    const auto hear = [&](const typename VerifierType::Reply& reply, std::size_t done, std::size_t waiting) {
                        if (tell.is_none()) return;
                        if (visits.call([&] { tell(as_vector(reply.stones), reply.passes, statuses[int(reply.status)], done, waiting); }))
                            control.stop.store(true);
                    };
                    VerifierType verifier([&] { return setup.position<PositionType>(geometry); }, table, control, std::move(request), hear);
                    outcome.row = verifier.defender_wins_at_once();
                    if (outcome.row) return;
                    const auto replies = verifier.run();
                    outcome.complete = verifier.complete();
                    outcome.nodes = verifier.nodes();
                    const nb::gil_scoped_acquire acquire;
                    for (const auto& reply : replies) {
                        const bool losing = reply.status == VerifierType::Status::losing;
                        outcome.replies.append(nb::make_tuple(as_vector(reply.stones), reply.passes, statuses[int(reply.status)],
                                                              losing ? as_tuples(reply.answer) : nb::none(), reply.length, reply.nodes,
                                                              reply.promise));
                    }
                });
            }
            visits.rethrow();
            return nb::make_tuple(outcome.row, outcome.complete, outcome.nodes, outcome.replies);
        },
        "control"_a, "setup"_a, "stones"_a, "order"_a, "prohibited"_a, "reply_nodes"_a, "nodes"_a, "seconds"_a, "table_bits"_a,
        "threads"_a, "merge"_a, "tell"_a.none() = nb::none(), "progress"_a.none() = nb::none());
}

}  // namespace tengen
