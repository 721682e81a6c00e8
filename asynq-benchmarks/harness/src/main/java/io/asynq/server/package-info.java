/**
 * Micro-benchmarks of what only a server has, in the package that has it.
 */
@NullMarked
package io.asynq.server;

import org.jspecify.annotations.NullMarked;
