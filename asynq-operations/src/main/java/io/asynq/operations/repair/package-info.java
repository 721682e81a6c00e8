/**
 * Searches and summaries of tasks that nothing keeps an index of.
 */
@NullMarked
package io.asynq.operations.repair;

import org.jspecify.annotations.NullMarked;
