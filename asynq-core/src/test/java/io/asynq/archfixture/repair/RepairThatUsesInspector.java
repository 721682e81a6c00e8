package io.asynq.archfixture.repair;

import io.asynq.archfixture.inspect.PlainInspector;

/**
 * Breaks the rule that repair uses roles of the broker only.
 */
public class RepairThatUsesInspector {

	public final Object other = new PlainInspector();

}
