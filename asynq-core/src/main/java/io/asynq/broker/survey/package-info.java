/**
 * What people look for beyond what servers need, in bounded steps.
 */
@NullMarked
package io.asynq.broker.survey;

import org.jspecify.annotations.NullMarked;
