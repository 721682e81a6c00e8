package io.asynq.spring.boot.autoconfigure.endpoint;

import io.asynq.Broker;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;
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

	@Bean
	@ConditionalOnMissingBean(name = "asynqInfoContributor")
	AsynqInfoContributor asynqInfoContributor(ObjectProvider<AsynqServer> server,
			ObjectProvider<ServerOptions> options) {
		return new AsynqInfoContributor(server.getIfAvailable(), options.getIfAvailable());
	}

}
