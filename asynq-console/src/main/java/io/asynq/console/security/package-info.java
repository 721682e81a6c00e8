/**
 * Who may do what in the console.
 */
@NullMarked
package io.asynq.console.security;

import org.jspecify.annotations.NullMarked;
