/** Micro-benchmarks, except those of package-private classes. */
@NullMarked
package io.asynq.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
