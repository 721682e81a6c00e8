package io.asynq.archfixture.lifecycle;

import java.util.Date;

/**
 * Breaks: time comes from a clock.
 */
public class LoopThatMakesDate {

	final Date now = new Date();

}
