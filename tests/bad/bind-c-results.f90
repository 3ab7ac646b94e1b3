! Results that a function of C does not have.
function words() bind(c)
  character(5) :: words
  words = 'abc'
end function
function numbers() bind(c)
  integer :: numbers(3)
  numbers = 1
end function
function letter() bind(c)
  character :: letter
  letter = 'a'
end function
end
