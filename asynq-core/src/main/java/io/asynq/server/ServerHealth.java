package io.asynq.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.inspect.LoopInfo;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server is well, as far as it can tell without asking Redis.
 *
 * @param quiet whether somebody has asked it to take no more tasks; a server that waits
 * for its first handler is not quiet
 * @param lastHeartbeat when its entry was last written to Redis, {@code null} if never
 * @param heartbeatMissed whether it runs but has not written its entry for two intervals
 * and at least 3 s, so that others take it for dead
 * @param loops none before the first start
 * @param lastError the last error since the server was created, {@code null} if none
 * @param unhandled how many tasks wait for a handler that no Java server has, by queue
 * and type, as last found; at most a hundred types of a queue
 */
public record ServerHealth(boolean quiet, @Nullable Instant lastHeartbeat, boolean heartbeatMissed,
		List<LoopInfo> loops, @Nullable LastError lastError, Map<String, Map<String, Long>> unhandled) {

	/**
	 * The last error, which may be over.
	 *
	 * @param loop the loop that met it
	 */
	public record LastError(String loop, String error, Instant at) {
	}

}
