package io.asynq.archfixture.server.signal;

import io.asynq.archfixture.server.upkeep.PlainUpkeep;

/**
 * Breaks the rule that signals do not use upkeep.
 */
public class SignalThatUsesUpkeep {

	public final Object other = new PlainUpkeep();

}
