package io.asynq.archfixture.internal.lifecycle;

import java.util.Date;

/**
 * Breaks the rule that time comes from the clock.
 */
public class LoopThatMakesDate {

	final Date now = new Date();

}
