package io.asynq.archfixture.server;

import io.asynq.archfixture.broker.redis.AdapterThatUsesDriver;

/**
 * Breaks: only the adapter's user creates it.
 */
public class ServerThatUsesAdapter {

	final Object adapter = new AdapterThatUsesDriver();

}
