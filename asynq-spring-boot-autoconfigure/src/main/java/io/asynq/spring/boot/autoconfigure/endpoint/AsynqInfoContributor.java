package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Does not ask Redis.
 */
final class AsynqInfoContributor implements InfoContributor {

	private final @Nullable AsynqServer server;

	private final @Nullable ServerOptions options;

	AsynqInfoContributor(@Nullable AsynqServer server, @Nullable ServerOptions options) {
		this.server = server;
		this.options = options;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		String version = AsynqServer.class.getPackage().getImplementationVersion();
		if (version != null) {
			details.put("version", version);
		}
		if (this.server != null && this.options != null) {
			details.put("server", this.server.state().wireName());
			details.put("concurrency", this.options.concurrency());
			details.put("queues", new TreeMap<>(this.options.queues().weights()));
			details.put("strictPriority", this.options.queues().strict());
		}
		else {
			details.put("server", "disabled");
		}
		builder.withDetail("asynq", details);
	}

}
