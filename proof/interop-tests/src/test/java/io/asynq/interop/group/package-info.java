/**
 * Groups of both languages. Tests of longer classes begin sooner: packages come before
 * the classes beside them.
 */
@NullMarked
package io.asynq.interop.group;

import org.jspecify.annotations.NullMarked;
