package io.asynq.internal.limit;

import java.time.Instant;
import java.util.List;

import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.LimitKeyInfo;

/** Counts waiting tasks of the first 20,000 keys of a queue only. */
public interface LimitReader {

	/** Lists at most a thousand limits, by name. */
	List<LimitInfo> limits();

	List<LimitKeyInfo> keys(String limit, int max);

	/** Answers for the first thousand needs of a queue only. */
	List<Starving> starving();

	record Starving(String queue, String limit, long tasks, Instant since) {
	}

	/** Lists all limits of a waiting task, some of which may have free tokens by now. */
	List<String> waitsFor(String queue, String id);

}
