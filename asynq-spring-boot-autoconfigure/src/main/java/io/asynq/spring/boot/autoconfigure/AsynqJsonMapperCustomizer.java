package io.asynq.spring.boot.autoconfigure;

import tools.jackson.databind.json.JsonMapper;

/**
 * Changes the JSON mapper that reads and writes payloads and results, after the
 * properties were applied. Beans of this type are called once, in their order; the
 * application's other mappers do not notice.
 */
@FunctionalInterface
public interface AsynqJsonMapperCustomizer {

	/**
	 * Changes the mapper.
	 * @param builder the mapper's builder, with what the properties have set
	 */
	void customize(JsonMapper.Builder builder);

}
