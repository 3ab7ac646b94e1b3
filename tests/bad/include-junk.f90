program p
  include 'nothing.inc' x
end program
