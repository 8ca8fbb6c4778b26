// Counts the nodes of a search that one thread does, and ends it when a limit is reached or the caller says so.
#pragma once

#include <chrono>
#include <cstdint>

#include "control.hpp"

namespace tengen {

struct Stopped {};  // thrown out of the search when the caller or a limit ends it

class Meter {
public:
    // No nodes or no seconds mean no such limit.
    Meter(Control& control, std::uint64_t nodes, double seconds)
        : control_(control),
          most_nodes_(nodes),
          seconds_(seconds),
          start_(std::chrono::steady_clock::now()),
          polled_(start_) {}

    void count() {
        ++nodes_;
        if (most_nodes_ && nodes_ > most_nodes_) throw Stopped{};
        if ((nodes_ & 255) == 0) look();
    }

    // At the clock and the caller; for those whose nodes take long.
    void look() {
        const auto now = std::chrono::steady_clock::now();
        control_.nodes.store(nodes_, std::memory_order_relaxed);
        if (control_.poll && now - polled_ > std::chrono::milliseconds(50)) {
            polled_ = now;
            if (control_.poll()) control_.stop.store(true);
        }
        if (control_.stop.load(std::memory_order_relaxed) ||
            (seconds_ > 0 && std::chrono::duration<double>(now - start_).count() > seconds_))
            throw Stopped{};
    }

    std::uint64_t nodes() const { return nodes_; }

private:
    Control& control_;
    std::uint64_t nodes_ = 0, most_nodes_;
    double seconds_;
    std::chrono::steady_clock::time_point start_, polled_;
};

}  // namespace tengen
