package io.asynq.archfixture.lifecycle;

import org.slf4j.LoggerFactory;

/**
 * Breaks: only logging makes loggers.
 */
public class LoopThatLogsAsItPleases {

	void log(String id) {
		LoggerFactory.getLogger(getClass()).warn("{}", id);
	}

}
