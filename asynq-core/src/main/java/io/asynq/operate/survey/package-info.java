/**
 * What an operator sees of many queues and tasks at once, each call bounded.
 */
@NullMarked
package io.asynq.operate.survey;

import org.jspecify.annotations.NullMarked;
