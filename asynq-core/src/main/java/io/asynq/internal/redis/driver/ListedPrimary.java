package io.asynq.internal.redis.driver;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Lettuce sends commands there, but neither subscribes nor says which node it is. */
public final class ListedPrimary {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final LettuceConnectionFactory factory;

	private final RedisStaticMasterReplicaConfiguration nodes;

	private ListedPrimary(LettuceConnectionFactory factory, RedisStaticMasterReplicaConfiguration nodes) {
		this.factory = factory;
		this.nodes = nodes;
	}

	public static @Nullable ListedPrimary of(RedisConnectionFactory factory) {
		return (factory instanceof LettuceConnectionFactory lettuce
				&& CopiedLettuce.configuration(lettuce) instanceof RedisStaticMasterReplicaConfiguration nodes)
						? new ListedPrimary(lettuce, nodes) : null;
	}

	/** To be destroyed by the caller. */
	public LettuceConnectionFactory connections() {
		RedisURI primary = find();
		RedisStandaloneConfiguration node = new RedisStandaloneConfiguration(primary.getHost(), primary.getPort());
		node.setUsername(this.nodes.getUsername());
		node.setPassword(this.nodes.getPassword());
		node.setDatabase(this.nodes.getDatabase());
		LettuceConnectionFactory connections = new LettuceConnectionFactory(node,
				CopiedLettuce.ofOneNode(this.factory.getClientConfiguration(), client().getResources()));
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	RedisURI find() {
		RedisException error = null;
		for (RedisStandaloneConfiguration node : this.nodes.getNodes()) {
			RedisURI uri = LettuceTracking.uri(this.factory, node.getHostName(), node.getPort());
			uri.setDatabase(this.nodes.getDatabase());
			uri.setTimeout(PATIENCE);
			try (StatefulRedisConnection<String, String> connection = client().connect(uri)) {
				if ("master".equals(connection.sync().role().get(0))) {
					return uri;
				}
			}
			catch (RedisException ex) {
				error = ex;
			}
		}
		throw new RedisConnectionFailureException(
				"None of the nodes of spring.data.redis.masterreplica.nodes is the primary", error);
	}

	private RedisClient client() {
		return (RedisClient) this.factory.getRequiredNativeClient();
	}

}
