// What a caller may see and do while a search runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace tengen {

struct Control {
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> nodes{0};
    std::atomic<int> depth{0};
    std::function<bool()> poll;  // called now and then by one thread; true means stop
};

}  // namespace tengen
