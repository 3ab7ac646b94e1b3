program p
  external s
  call s(x=1)
end program
