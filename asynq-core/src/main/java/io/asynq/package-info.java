/**
 * What an application sees first: the client, tasks and their options, policies and
 * exceptions.
 */
@NullMarked
package io.asynq;

import org.jspecify.annotations.NullMarked;
