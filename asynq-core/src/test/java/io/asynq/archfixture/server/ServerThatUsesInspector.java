package io.asynq.archfixture.server;

import io.asynq.archfixture.inspect.PlainInspector;

/**
 * Breaks the rule that server and inspect do not use each other.
 */
public class ServerThatUsesInspector {

	public final PlainInspector inspector = new PlainInspector();

}
