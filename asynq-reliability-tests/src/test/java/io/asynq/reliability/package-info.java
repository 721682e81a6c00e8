/**
 * The program finds what it is made to find.
 */
@NullMarked
package io.asynq.reliability;

import org.jspecify.annotations.NullMarked;
