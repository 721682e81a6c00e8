package io.asynq.spring.boot.autoconfigure;

import tools.jackson.databind.json.JsonMapper;

/**
 * Changes the JSON mapper that reads and writes payloads and results, after the
 * properties were applied; the application's other mappers do not notice. Beans of this
 * type are called once, in their order.
 */
@FunctionalInterface
public interface AsynqJsonMapperCustomizer {

	void customize(JsonMapper.Builder builder);

}
