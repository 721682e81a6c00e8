/**
 * Groups in Redis: collects tasks, stages them for an aggregator, finishes or gives back.
 */
@NullMarked
package io.asynq.broker.redis.group;

import org.jspecify.annotations.NullMarked;
