package io.asynq.interop.oracle;

import java.nio.file.Path;
import java.util.Map;

import io.asynq.interop.peer.GoConnection;
import io.asynq.interop.peer.GoException;
import io.asynq.test.TestRedis;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Go's library, in the version its program was built with.
 */
final class GoActor implements Actor {

	private final GoConnection connection;

	GoActor(Path executable, TestRedis redis) {
		this.connection = new GoConnection(executable, redis.uri(), (event) -> {
		});
	}

	@Override
	@SuppressWarnings("unchecked")
	public JsonNode perform(String command, JsonNode arguments) {
		try {
			return this.connection.call(command, JsonMapper.shared().treeToValue(arguments, Map.class));
		}
		catch (GoException ex) {
			if ("broken-script".equals(ex.kind())) {
				throw ex;
			}
			return JsonMapper.shared().createObjectNode().put("error", ex.kind());
		}
	}

	@Override
	public void close() {
		this.connection.close();
	}

	@Override
	public String toString() {
		return "Go";
	}

}
