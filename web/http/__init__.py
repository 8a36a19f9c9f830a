"""What both the API and the pages do with HTTP: requests, answers, problems, streams."""
