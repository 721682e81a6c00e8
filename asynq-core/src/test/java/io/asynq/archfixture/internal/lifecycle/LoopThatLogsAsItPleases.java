package io.asynq.archfixture.internal.lifecycle;

import org.slf4j.LoggerFactory;

/**
 * Breaks the rule that only logging creates loggers.
 */
public class LoopThatLogsAsItPleases {

	void log(String id) {
		LoggerFactory.getLogger(getClass()).warn("{}", id);
	}

}
