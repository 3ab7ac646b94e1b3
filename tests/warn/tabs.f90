program tabs
	print *, 1
end program
