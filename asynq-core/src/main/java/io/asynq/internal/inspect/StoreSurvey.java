package io.asynq.internal.inspect;

import java.util.List;
import java.util.Map;

public interface StoreSurvey {

	List<Node> nodes();

	/** The only server has an empty address and no slots. */
	record Node(String address, Map<String, String> info, int slots) {
	}

}
