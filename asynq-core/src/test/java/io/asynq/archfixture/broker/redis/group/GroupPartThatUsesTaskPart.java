package io.asynq.archfixture.broker.redis.group;

import io.asynq.archfixture.broker.redis.task.PlainTaskPart;

/**
 * Breaks the rule that parts of the adapter use only their parent.
 */
public class GroupPartThatUsesTaskPart {

	public final Object other = new PlainTaskPart();

}
