package io.asynq.archfixture.scheduler.cron;

import io.asynq.archfixture.info.PlainRecord;

/**
 * Breaks the rule that fire times depend on no other package.
 */
public class CronThatUsesVocabulary {

	public final Object other = new PlainRecord();

}
