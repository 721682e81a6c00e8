/**
 * Micro-benchmarks, except those of package-private classes, which are in the packages of
 * these classes.
 */
@NullMarked
package io.asynq.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
