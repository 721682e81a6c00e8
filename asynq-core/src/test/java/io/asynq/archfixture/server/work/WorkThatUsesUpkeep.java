package io.asynq.archfixture.server.work;

import io.asynq.archfixture.server.upkeep.PlainUpkeep;

/**
 * Breaks the rule that the path of a task uses nothing beside it.
 */
public class WorkThatUsesUpkeep {

	public final Object other = new PlainUpkeep();

}
