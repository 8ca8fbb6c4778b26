// The network's inner loops for every processor, and the choice between them and those for AVX2.
#include "network_kernels.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define TENGEN_USE_SSE2 1
#endif

namespace tengen {

namespace baseline_kernels {
#include "network_kernels.inc"
}  // namespace baseline_kernels

#undef TENGEN_USE_SSE2
namespace portable_kernels {
#include "network_kernels.inc"
}  // namespace portable_kernels

#ifdef TENGEN_HAS_AVX2_KERNELS
const NetworkKernels& avx2_network_kernels();
#endif

const NetworkKernels& portable_network_kernels() {
    static constexpr NetworkKernels kernels{portable_kernels::apply, portable_kernels::sum_features, portable_kernels::weigh_features};
    return kernels;
}

const NetworkKernels& network_kernels() {
    static constexpr NetworkKernels baseline{baseline_kernels::apply, baseline_kernels::sum_features, baseline_kernels::weigh_features};
#ifdef TENGEN_HAS_AVX2_KERNELS
    static const NetworkKernels& best = __builtin_cpu_supports("avx2") ? avx2_network_kernels() : baseline;
    return best;
#else
    return baseline;
#endif
}

}  // namespace tengen
