program p
  print *, ichar('ab')
end program
