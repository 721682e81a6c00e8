/**
 * Micro-benchmarks. Those of classes that are nobody's else are in the packages that have
 * them.
 */
@NullMarked
package io.asynq.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
