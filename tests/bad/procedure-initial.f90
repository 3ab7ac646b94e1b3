program p
  procedure(), bind(c) :: q => null()
end program
