package io.asynq.archfixture.server;

import io.asynq.archfixture.broker.redis.AdapterThatUsesDriver;

/**
 * Breaks the rule that nobody but its user creates the adapter.
 */
public class ServerThatUsesAdapter {

	final Object adapter = new AdapterThatUsesDriver();

}
