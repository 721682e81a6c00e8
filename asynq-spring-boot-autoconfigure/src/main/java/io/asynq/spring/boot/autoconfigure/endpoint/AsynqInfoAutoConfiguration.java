package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import io.asynq.Broker;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

@AutoConfiguration(after = AsynqServerAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBean(Broker.class)
@ConditionalOnEnabledInfoContributor("asynq")
public final class AsynqInfoAutoConfiguration {

	/** Does not ask Redis. */
	@Bean
	@ConditionalOnMissingBean(name = "asynqInfoContributor")
	InfoContributor asynqInfoContributor(ObjectProvider<AsynqServer> servers, ObjectProvider<ServerOptions> options) {
		return (builder) -> builder.withDetail("asynq", details(servers.getIfAvailable(), options.getIfAvailable()));
	}

	private static Map<String, Object> details(@Nullable AsynqServer server, @Nullable ServerOptions options) {
		Map<String, Object> details = new LinkedHashMap<>();
		String version = AsynqServer.class.getPackage().getImplementationVersion();
		if (version != null) {
			details.put("version", version);
		}
		if (server != null && options != null) {
			details.put("server", server.state().wireName());
			details.put("concurrency", options.concurrency());
			details.put("queues", new TreeMap<>(options.queues().weights()));
			details.put("strictPriority", options.queues().strict());
		}
		else {
			details.put("server", "disabled");
		}
		return details;
	}

}
